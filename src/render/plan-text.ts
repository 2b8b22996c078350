import { agreements, type Contents } from './agreements.ts';
import { problemJson } from './diagnostic-reports.ts';
import type { ExplainedChange, ExplainedPlan, Explanation } from './messages/explain-plan.ts';
import { list } from './messages/sentences.ts';
import type { FailedEnvironment } from './model.ts';
import { counted, overviewRows, serviceText } from './plan-summary.ts';
import {
  fieldTexts,
  type Group,
  idOf,
  planView,
  type Section,
  sectionsOf,
  sourceText,
  type ViewAction,
} from './plan-view.ts';
import {
  alignColumns,
  columnWidth,
  escapeTerminal,
  type Format,
  fitting,
  harmless,
  inColor,
  labeled,
  linesOf,
  lineWidth,
  renderJson,
  styled,
  textOf,
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

/** A plan for a terminal, readable without color, every value escaped. `isWhole`: however many creates it has. */
export function renderPlanText(plan: ExplainedPlan, color: boolean, isWhole = false): string {
  const view = planView(plan);
  const text = textOf(
    wrapWords(view.title).map((line) => styled('bold', line)),
    contentLines(
      { ...view, notes: [...view.notes, ...view.recordings], changes: plan.changes },
      'this plan',
      isWhole,
    ),
    '',
    wrapWords(view.summary).map((line) => styled('bold', line)),
  );
  return inColor(color, text);
}

/** The plans of several environments: what they have in common once, and at the end a line for each. */
export function renderPlannedText(
  plans: readonly ExplainedPlan[],
  failed: readonly FailedEnvironment[],
  color: boolean,
  isWhole = false,
): string {
  const found = agreements(plans).flatMap((each) => {
    const { environments } = each;
    const heading = wrapWords(`In ${list(environments)}:`).map((line) => styled('bold', line));
    const what = `the ${plural(environments.length, 'plan')} for ${list(environments)}`;
    return ['', ...heading, ...contentLines(each, what, isWhole)];
  });
  const note = 'Compared with recorded state; no service was contacted.';
  return inColor(color, `${note}\n${textOf(found)}\n${overviewTable(plans, failed)}`);
}

/** With service and team of each if they fit, or the team alone. */
function overviewTable(plans: readonly ExplainedPlan[], failed: readonly FailedEnvironment[]): string {
  const rows = overviewRows(plans, failed);
  const targets = new Map(plans.map(({ environment, target }) => [environment, target]));
  const tables = [['SERVICE', 'TEAM'], ['TEAM'], []].map((titles) => {
    const cells = (name: string) => {
      const target = targets.get(name);
      const texts = target ? [serviceText(target), target.teamId] : ['', ''];
      return texts.slice(2 - titles.length);
    };
    return alignColumns([
      ['ENVIRONMENT', ...titles, 'PLAN'],
      ...rows.map(([name, words]) => [name, ...cells(name), words]),
    ]);
  });
  return fitting(tables.slice(plans.length > 0 ? 0 : 2));
}

function contentLines({ notes, guards, changes }: Contents, what: string, isWhole: boolean) {
  return linesOf(
    notes.flatMap((note) => wrapWords(note)).map((line) => styled('dim', line)),
    guards.flatMap((guard) => ['', ...guardLines(what, guard)]),
    sectionsOf(changes, isWhole ? undefined : CREATES_SHOWN).flatMap(sectionLines),
  );
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
  const addresses = groups.flatMap(({ changes }) => changes.map(({ address }) => address));
  const widest = columnWidth(addresses, 36);
  // What stands above several changes must not seem to be about those of the next group.
  const isApart = groups.some((group) => group.file === undefined && group.changes.length > 1);
  return linesOf(
    groups.flatMap((group, at) => [
      ...(group.file === undefined && (at === 0 || isApart) ? [''] : []),
      ...groupLines(group, action, widest),
    ]),
    folded > 0 && `${INDENT}... and ${folded} more; --all lists them`,
  );
}

/** One change leads, with its reason below it; what several have in common stands above them. */
function groupLines(group: Group, action: ViewAction, widest: number): readonly string[] {
  const { changes, reason, remedies, file } = group;
  const [sign, format] = marks[action];
  const label = styled(format, `${sign} ${action.padEnd(9)}`);
  if (file !== undefined) return fileLines(file, changes, label, widest);
  const rows = changes.flatMap((change) => changeLines(change, label, widest));
  const ways = (indent: string) => remedies.flatMap((each) => wrap(each, `${indent}- `, `${indent}  `));
  if (changes.length === 1)
    return linesOf(rows, reason !== undefined && wrap(reason, INDENT, INDENT), ways(INDENT));
  return linesOf(
    reason !== undefined && wrap(`${countText(changes.length, action)} for the same reason: ${reason}`, '  '),
    ways('  '),
    rows,
  );
}

/** In the words of the summary: `2 blocked`, `3 to replace`. */
function countText(count: number, action: ViewAction): string {
  return `${count} ${counted.some((each) => each === action) ? 'to ' : ''}${action}`;
}

/** Plain creates of one file. */
function fileLines(
  file: string,
  changes: readonly ExplainedChange[],
  label: string,
  widest: number,
): readonly string[] {
  const rows = changes.map(({ address, name = '', source }) => {
    const line = `:${source?.line ?? 0}`.padStart(11);
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
  const gap = lineWidth() - 12 - head.length - source.length;
  const fields = fieldLines(change);
  if (source && gap >= 2) return [`${label} ${head}${' '.repeat(gap)}${styled('dim', source)}`, ...fields];
  const fits = head.length + 12 <= lineWidth();
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
  const room = lineWidth() - INDENT.length - columnWidth(paths, 28) - 2;
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
