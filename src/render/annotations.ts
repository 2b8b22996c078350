import type { Plan } from '../plan/model.ts';
import { messageOf, placeOf, type RepositoryPath } from './diagnostic-reports.ts';
import type { ExplainedPlan, Explanation } from './messages/explain-plan.ts';
import type { ExplainedDiagnostic } from './messages/explain-problem.ts';
import { summaryOf } from './plan-summary.ts';
import { escapeTerminal, linesOf, textOf } from './terminal.ts';
import { pluralize } from './words.ts';

/** One remark beside a line of a pull request. Its texts are not escaped yet. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly lines: readonly string[];
  readonly place?: { readonly file: string; readonly line: number; readonly column?: number };
}

/** GitHub shows so many of one step and drops the others in silence. */
const SHOWN = 10;

/** One sentence on each plan, in one annotation that does not count among the ten. */
export function summaryAnnotation(plans: readonly Plan[]): Annotation {
  const [only] = plans;
  const isOne = only !== undefined && plans.length === 1;
  return {
    level: 'notice',
    title: isOne ? `Plan for ${only.environment}` : `Plans for ${pluralize(plans.length, 'environment')}`,
    lines: plans.map((plan) => (isOne ? summaryOf(plan) : `${plan.environment}: ${summaryOf(plan)}`)),
  };
}

/** What needs a person, what weighs most first: GitHub shows only a few. */
export function planAnnotations({ environment, guards, changes }: ExplainedPlan): readonly Annotation[] {
  const warning = (title: string, { reason, remedies = [] }: Partial<Explanation>) => ({
    level: 'warning' as const,
    title: `${environment}: ${title}`,
    lines: linesOf(
      reason,
      remedies.map((remedy) => `- ${remedy}`),
    ),
  });
  const found = (['unknown', 'blocked'] as const).flatMap((action) =>
    changes.filter((change) => change.action === action),
  );
  return [
    ...guards.map((guard) => warning('apply refuses this plan', guard)),
    ...found.map((change) => {
      const { address, action, source } = change;
      return { ...warning(`${address} is ${action}`, change), ...(source && { place: source }) };
    }),
  ];
}

/** Errors before warnings, with the words they have elsewhere. */
export function diagnosticAnnotations(diagnostics: readonly ExplainedDiagnostic[]): readonly Annotation[] {
  const annotations = diagnostics.map((diagnostic) => {
    const { severity, rule, hint, location } = diagnostic;
    const lines = linesOf(messageOf(diagnostic), hint);
    return { level: severity, title: rule, lines, ...(location && { place: placeOf(location) }) };
  });
  const isLater = ({ level }: Annotation) => Number(level === 'warning');
  return annotations.sort((one, other) => isLater(one) - isLater(other));
}

/**
 * Workflow commands of GitHub, a line each; where there are too many, the last one says how many are not shown.
 * Notices are counted apart by GitHub.
 */
export function renderAnnotations(given: readonly Annotation[], repositoryPath: RepositoryPath): string {
  const notices = given.filter(({ level }) => level === 'notice');
  const annotations = given.filter(({ level }) => level !== 'notice');
  const fits = annotations.length <= SHOWN;
  const shown = fits ? annotations : annotations.slice(0, SHOWN - 1);
  const left = annotations.slice(shown.length);
  const rest: Annotation = {
    level: left.some(({ level }) => level === 'error') ? 'error' : 'warning',
    title: `${pluralize(left.length, 'more annotation')}`,
    lines: ['GitHub shows 10 per step; the job summary and log have more.'],
  };
  const all = [...shown, ...(fits ? [] : [rest]), ...notices];
  return textOf(all.map((annotation) => workflowCommand(annotation, repositoryPath)));
}

function workflowCommand({ level, title, lines, place }: Annotation, repositoryPath: RepositoryPath): string {
  const file = place && repositoryPath(place.file);
  const position = file === undefined ? {} : { file, line: place?.line, col: place?.column };
  const properties = Object.entries({ ...position, title }).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeProperty(escapeTerminal(String(value)))}`,
  );
  const text = linesOf(lines, place && file === undefined && `${place.file}:${place.line}`);
  return `::${level} ${properties.join(',')}::${escapeData(text.map(escapeTerminal).join('\n'))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
