import type { Plan } from '../plan/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { messageOf, placeOf, type RepositoryPath } from './diagnostic-reports.ts';
import type { ExplainedPlan } from './messages/explain-plan.ts';
import { summaryOf } from './plan-view.ts';
import { escapeTerminal } from './terminal.ts';

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
export function planAnnotations(plan: ExplainedPlan): readonly Annotation[] {
  const listed = (remedies: readonly string[] = []) => remedies.map((remedy) => `- ${remedy}`);
  const guards = plan.guards.map(({ reason, remedies }) => ({
    level: 'warning' as const,
    title: `${plan.environment}: apply refuses this plan`,
    lines: [reason, ...listed(remedies)],
  }));
  const changes = (['unknown', 'blocked'] as const)
    .flatMap((action) => plan.changes.filter((change) => change.action === action))
    .map(({ address, action, reason, remedies, source }) => ({
      level: 'warning' as const,
      title: `${plan.environment}: ${address} is ${action}`,
      lines: [...(reason === undefined ? [] : [reason]), ...listed(remedies)],
      ...(source && { place: source }),
    }));
  return [...guards, ...changes];
}

/** Errors before warnings, with the words they have elsewhere. */
export function diagnosticAnnotations(diagnostics: readonly Diagnostic[]): readonly Annotation[] {
  const annotations = diagnostics.map(annotationOf);
  return [
    ...annotations.filter(({ level }) => level === 'error'),
    ...annotations.filter(({ level }) => level === 'warning'),
  ];
}

function annotationOf(diagnostic: Diagnostic): Annotation {
  const { severity, rule, hint, location } = diagnostic;
  return {
    level: severity,
    title: rule,
    lines: [messageOf(diagnostic), ...(hint === undefined ? [] : [hint])],
    ...(location && { place: placeOf(location) }),
  };
}

/**
 * Workflow commands of GitHub, a line each; where there are too many, the last one says how many are not shown.
 * Notices are counted apart by GitHub.
 */
export function renderAnnotations(all: readonly Annotation[], repositoryPath: RepositoryPath): string {
  const notices = all.filter(({ level }) => level === 'notice');
  const annotations = all.filter(({ level }) => level !== 'notice');
  const fits = annotations.length <= SHOWN;
  const shown = fits ? annotations : annotations.slice(0, SHOWN - 1);
  const left = annotations.slice(shown.length);
  const rest: Annotation = {
    level: left.some(({ level }) => level === 'error') ? 'error' : 'warning',
    title: `${pluralize(left.length, 'more annotation')}`,
    lines: ['GitHub shows 10 of a step; the summary and the log of the job have more.'],
  };
  return [...shown, ...(fits ? [] : [rest]), ...notices]
    .map((annotation) => `${workflowCommand(annotation, repositoryPath)}\n`)
    .join('');
}

function workflowCommand({ level, title, lines, place }: Annotation, repositoryPath: RepositoryPath): string {
  const file = place && repositoryPath(place.file);
  const properties = [
    ...(file === undefined
      ? []
      : [
          ['file', file],
          ['line', place?.line],
          ['col', place?.column],
        ]),
    ['title', title],
  ].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(escapeTerminal(String(value)))}`],
  );
  const where = place && file === undefined ? [`${place.file}:${place.line}`] : [];
  const text = [...lines, ...where].map(escapeTerminal).join('\n');
  return `::${level} ${properties.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
