import { problemJson } from './diagnostic-reports.ts';
import type { ExplainedChange, ExplainedGuard, ExplainedPlan, Explanation } from './messages/explain-plan.ts';
import type { FailedEnvironment } from './model.ts';
import {
  fieldTexts,
  type Group,
  groupBy,
  idOf,
  overviewRows,
  planView,
  type Section,
  sourceText,
  type ViewAction,
} from './plan-view.ts';
import {
  alignColumns,
  columnWidth,
  escapeTerminal,
  type Format,
  harmless,
  inColor,
  labeled,
  linesOf,
  renderJson,
  styled,
  textOf,
  WIDTH,
  wrap,
  wrapWords,
} from './terminal.ts';
import { plural } from './words.ts';

const INDENT = ' '.repeat(13);
/** Longer lists of creates are cut, to stay readable. */
const CREATES_SHOWN = 100;

const marks: Record<ViewAction, readonly [sign: string, format: Format]> = {
  blocked: ['!', 'red'],
  unknown: ['?', 'magenta'],
  waiting: [':', 'magenta'],
  diverged: ['=', 'yellow'],
  replace: ['%', 'yellow'],
  adopt: ['&', 'cyan'],
  revive: ['^', 'cyan'],
  reassert: ['*', 'cyan'],
  update: ['~', 'yellow'],
  retire: ['-', 'gray'],
  create: ['+', 'green'],
};

/** A plan for a terminal: 80 columns, readable without colour, every value escaped. */
export function renderPlanText(plan: ExplainedPlan, color: boolean): string {
  const view = planView(plan, CREATES_SHOWN);
  const text = textOf(
    wrapWords(view.title).map((line) => styled('bold', line)),
    [...view.notes, ...view.recordings].flatMap((note) => wrapWords(note)).map((line) => styled('dim', line)),
    view.guards.flatMap((guard) => ['', ...guardLines('this plan', guard)]),
    view.sections.flatMap(sectionLines),
    '',
    wrapWords(view.summary).map((line) => styled('bold', line)),
  );
  return inColor(color, text);
}

/** After plans went into a file. `command` carries them out; undefined if they do nothing. */
export function savedText(command: string | undefined): string {
  const next = command === undefined ? 'It has nothing to apply.' : `To apply it: ${escapeTerminal(command)}`;
  return `Plan saved. ${next}\n`;
}

/** What apply refuses and why, with every way out of it. */
function guardLines(what: string, { reason, remedies }: Explanation): readonly string[] {
  return [
    ...wrapWords(`Apply refuses ${what}: ${reason}`).map((line) => styled('red', line)),
    ...remedies.flatMap((remedy) => wrap(remedy, '  - ', '    ')),
  ];
}

function sectionLines({ action, groups, folded }: Section): readonly string[] {
  const [sign, format] = marks[action];
  const label = styled(format, `${sign} ${action.padEnd(9)}`);
  const addresses = groups.flatMap(({ changes }) => changes.map(({ address }) => address));
  const widest = columnWidth(addresses, 36);
  const [first] = groups;
  return linesOf(
    first && first.file === undefined && '',
    groups.flatMap((group) => groupLines(group, label, widest)),
    folded > 0 && `${INDENT}... and ${folded} more; --format json lists them all`,
  );
}

/** What a group has in common is below the last of it, where a reader of a terminal begins. */
function groupLines(group: Group, label: string, widest: number): readonly string[] {
  const { changes, reason, remedies, file } = group;
  if (file !== undefined) return fileLines(file, changes, label, widest);
  return linesOf(
    changes.flatMap((change) => changeLines(change, label, widest)),
    reason !== undefined && wrap(reason, INDENT, INDENT),
    remedies
      .flatMap((remedy) => wrap(remedy, `${INDENT}- `, `${INDENT}  `))
      .map((line) => styled('dim', line)),
  );
}

/** Plain creates of one file. */
function fileLines(
  file: string,
  changes: readonly ExplainedChange[],
  label: string,
  widest: number,
): readonly string[] {
  const rows = changes.map(({ address, name = '', source }) => {
    const line = String(source?.line ?? 0).padStart(11);
    return [`${line}  ${address.padEnd(widest)}`, name] as const;
  });
  return [
    '',
    `${label} ${styled('dim', escapeTerminal(file))}`,
    ...labeled(rows, '', INDENT.length + widest),
  ];
}

function changeLines(change: ExplainedChange, label: string, widest: number) {
  const address = escapeTerminal(change.address);
  const id = idOf(change) && `id ${escapeTerminal(idOf(change))}`;
  const source = escapeTerminal(sourceText(change));
  const head = `${address.padEnd(widest)}  ${id}`.trimEnd();
  const gap = WIDTH - 12 - head.length - source.length;
  const fields = fieldLines(change);
  if (source && gap >= 2) return [`${label} ${head}${' '.repeat(gap)}${styled('dim', source)}`, ...fields];
  const fits = head.length + 12 <= WIDTH;
  return linesOf(
    `${label} ${fits ? head : address}`,
    !fits && id !== '' && wrapWords(id, INDENT, INDENT),
    source !== '' && `${INDENT}${styled('dim', harmless(source))}`,
    fields,
  );
}

function fieldLines(change: ExplainedChange): readonly string[] {
  const fields = fieldTexts(change);
  const paths = fields.map(({ path }) => path);
  const room = WIDTH - INDENT.length - columnWidth(paths, 28) - 2;
  const rows = fields.flatMap(({ path, before, after }): readonly (readonly [string, string])[] => {
    if (before === '') return [[path, after]];
    const text = `${before} -> ${after}`;
    if (text.length <= room) return [[path, text]];
    return [
      [path, before],
      ['->', after],
    ];
  });
  return labeled(rows, INDENT, 28);
}

/** The plans of several environments, a line each, and below them why apply refuses some. */
export function renderPlannedText(
  plans: readonly ExplainedPlan[],
  failed: readonly FailedEnvironment[],
  color: boolean,
): string {
  const table = alignColumns([['ENVIRONMENT', 'PLAN'], ...overviewRows(plans, failed)]);
  const note = 'Compared with recorded state; no service was contacted.';
  return inColor(color, `${note}\n\n${table}${textOf(refusalLines(plans), '')}`);
}

/** A guard of several environments is shown once if only their names differ, with ENVIRONMENT in their place. */
function refusalLines(plans: readonly ExplainedPlan[]): readonly string[] {
  const found = plans.flatMap(({ environment, guards }) => guards.map((guard) => ({ environment, guard })));
  const groups = groupBy(found, ({ environment, guard }) => JSON.stringify(anonymous(guard, environment)));
  return [...groups].flatMap(([common, group]) => {
    const names = group.map(({ environment }) => environment).sort();
    const [one] = group.map(({ guard }) => guard);
    const guard = group.length > 1 || !one ? (JSON.parse(common) as Explanation) : one;
    return ['', ...guardLines(`the ${plural(group.length, 'plan')} for ${names.join(', ')}`, guard)];
  });
}

function anonymous({ reason, remedies }: ExplainedGuard, environment: string): Explanation {
  const name = new RegExp(`(?<=(?:^| )(?:-e|environment) )${environment}(?= |$)`, 'g');
  const without = (text: string) => text.replace(name, 'ENVIRONMENT');
  return { reason: without(reason), remedies: remedies.map(without) };
}

export function renderPlannedJson(
  plans: readonly ExplainedPlan[],
  failed: readonly FailedEnvironment[],
): string {
  const environments = [
    ...plans.map((plan) => ({ environment: plan.environment, plan, problems: [] })),
    ...failed.map(({ environment, problems }) => ({
      environment,
      plan: null,
      problems: problems.map(problemJson),
    })),
  ];
  return renderJson({ formatVersion: 1, environments });
}
