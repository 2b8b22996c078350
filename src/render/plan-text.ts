import { plural } from '../text/pluralize.ts';
import { problemJson } from './diagnostic-reports.ts';
import type { ExplainedGuard, ExplainedPlan } from './messages/explain-plan.ts';
import type { FailedEnvironment } from './model.ts';
import { overviewRows } from './plan-summary.ts';
import {
  type Entry,
  fieldTexts,
  type Group,
  planView,
  replaceWord,
  type Section,
  sourceText,
  type ViewAction,
} from './plan-view.ts';
import {
  alignColumns,
  columnWidth,
  escapeTerminal,
  harmless,
  renderJson,
  type Style,
  styleFor,
  WIDTH,
  wrap,
  wrapWords,
} from './terminal.ts';

const INDENT = ' '.repeat(13);
/** Longer lists of creates are cut, to stay readable. */
const CREATES_SHOWN = 100;

type Format = Parameters<Style>[0];

const marks: Record<ViewAction, { readonly sign: string; readonly format: Format }> = {
  blocked: { sign: '!', format: 'red' },
  unknown: { sign: '?', format: 'magenta' },
  waiting: { sign: ':', format: 'magenta' },
  diverged: { sign: '=', format: 'yellow' },
  replace: { sign: '%', format: 'yellow' },
  adopt: { sign: '&', format: 'cyan' },
  revive: { sign: '^', format: 'cyan' },
  reassert: { sign: '*', format: 'cyan' },
  update: { sign: '~', format: 'yellow' },
  retire: { sign: '-', format: 'gray' },
  create: { sign: '+', format: 'green' },
};

/** A plan for a terminal: 80 columns, readable without colour, every value escaped. */
export function renderPlanText(plan: ExplainedPlan, color: boolean): string {
  const style = styleFor(color);
  const view = planView(plan, CREATES_SHOWN);
  return [
    ...wrapped(view.title, (line) => style('bold', line)),
    ...view.notes.flatMap((note) => wrapped(note, (line) => style('dim', line))),
    ...view.guards.flatMap((guard) => ['', ...guardLines('this plan', guard, style)]),
    ...view.sections.flatMap((section) => sectionLines(section, style)),
    '',
    ...wrapped(view.summary, (line) => style('bold', line)),
    '',
  ].join('\n');
}

function wrapped(text: string, paint: (line: string) => string): readonly string[] {
  return wrapWords(text).map(paint);
}

/** What apply refuses and why, with every way out of it. */
function guardLines(
  what: string,
  { reason, remedies }: Pick<ExplainedGuard, 'reason' | 'remedies'>,
  style: Style,
): readonly string[] {
  return [
    ...wrapWords(`Apply refuses ${what}: ${reason}`).map((line) => style('red', line)),
    ...remedies.flatMap((remedy) => wrap(remedy, '  - ', '    ')),
  ];
}

function sectionLines({ action, groups, folded }: Section, style: Style): readonly string[] {
  const { sign, format } = marks[action];
  const label = style(format, `${sign} ${action.padEnd(9)}`);
  const plain = groups.filter(({ file }) => file !== undefined);
  const explained = groups.filter(({ file }) => file === undefined);
  const [widest, widestPlain] = [widthOf(explained, 30), widthOf(plain, 36)];
  const lines = explained.flatMap((group) => groupLines(group, label, widest, style));
  return [
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...plain.flatMap((group) => ['', ...fileLines(group, label, widestPlain, style)]),
    ...(folded > 0 ? [`${INDENT}... and ${folded} more; --format json lists them all`] : []),
  ];
}

function widthOf(groups: readonly Group[], most: number): number {
  const entries = groups.flatMap((group) => group.entries);
  return columnWidth(
    entries.map(({ address }) => address),
    most,
  );
}

/** What a group has in common is below the last of it, where a reader of a terminal begins. */
function groupLines(group: Group, label: string, widest: number, style: Style): readonly string[] {
  return [
    ...group.entries.flatMap((entry) => entryLines(entry, label, widest, style)),
    ...reasonLines(group, style),
  ];
}

/** Plain creates of one file. */
function fileLines(
  { file = '', entries }: Group,
  label: string,
  widest: number,
  style: Style,
): readonly string[] {
  const column = ' '.repeat(INDENT.length + widest + 2);
  return [
    `${label} ${style('dim', escapeTerminal(file))}`,
    ...entries.flatMap(({ address, name, source }) => {
      const line = style('dim', String(source?.line ?? 0).padStart(11));
      const shown = `${INDENT}${escapeTerminal(address).padEnd(widest)}  `;
      const [first = '', ...rest] = wrapWords(name, shown, column);
      return [`${line}${first.slice(INDENT.length - 2)}`, ...rest];
    }),
  ];
}

function entryLines(entry: Entry, label: string, widest: number, style: Style): readonly string[] {
  const address = escapeTerminal(entry.address);
  const title = entry.id === undefined ? '' : `id ${escapeTerminal(entry.id)}`;
  const source = escapeTerminal(sourceText(entry));
  const head = `${address.padEnd(widest)}  ${title}`.trimEnd();
  const gap = WIDTH - 12 - head.length - source.length;
  const rest = fieldLines(entry);
  if (source && gap >= 2) return [`${label} ${head}${' '.repeat(gap)}${style('dim', source)}`, ...rest];
  const fits = head.length + 12 <= WIDTH;
  const titleBelow = fits || title === '' ? [] : wrapWords(title, INDENT, INDENT);
  const sourceBelow = source ? [`${INDENT}${style('dim', harmless(source))}`] : [];
  return [`${label} ${fits ? head : address}`, ...titleBelow, ...sourceBelow, ...rest];
}

function fieldLines(entry: Entry): readonly string[] {
  const fields = fieldTexts(entry);
  const widest = columnWidth(
    fields.map(({ path }) => path),
    28,
  );
  return fields.flatMap((field) => {
    const path = harmless(escapeTerminal(field.path)).padEnd(widest);
    const [before, after] = [escapeTerminal(field.before), escapeTerminal(field.after)];
    const line = `${INDENT}${path}  ${before === '' ? '' : `${before} -> `}${after}`;
    if (line.length <= WIDTH) return [line];
    const column = ' '.repeat(INDENT.length + widest + 2);
    const isLong = path.length > widest;
    const head = isLong ? column : `${INDENT}${path}  `;
    return [
      ...(isLong ? [`${INDENT}${path}`] : []),
      ...(before === '' ? [] : wrapWords(before, head, column)),
      ...wrapWords(after, before === '' ? head : `${column.slice(3)}-> `, column),
    ];
  });
}

function reasonLines({ reason, remedies }: Group, style: Style): readonly string[] {
  return [
    ...(reason ? wrap(reason, INDENT, INDENT) : []),
    ...remedies
      .flatMap((remedy) => wrap(remedy, `${INDENT}- `, `${INDENT}  `))
      .map((line) => style('dim', line)),
  ];
}

/** The plans of several environments, a line each, and below them why apply refuses some. */
export function renderPlannedText(
  plans: readonly ExplainedPlan[],
  failed: readonly FailedEnvironment[],
  color: boolean,
): string {
  const rows = [['ENVIRONMENT', 'PLAN'], ...overviewRows(plans, failed)];
  const table = alignColumns(rows);
  const refusals = refusalLines(plans, color).map((line) => `${line}\n`);
  return `Compared with the last recorded answers, not with the services.\n\n${table}${refusals.join('')}\n`;
}

/** A guard of several environments is shown once if only their names differ, with ENVIRONMENT in their place. */
function refusalLines(plans: readonly ExplainedPlan[], color: boolean): readonly string[] {
  const found = plans.flatMap(({ environment, guards }) =>
    guards.map((guard) => ({ environment, guard, common: anonymous(guard, environment) })),
  );
  const groups = new Map<string, typeof found>();
  for (const each of found) {
    const key = JSON.stringify(each.common);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const names = group.map(({ environment }) => environment).sort();
    const [guard] = group.map((each) => (group.length > 1 ? each.common : each.guard));
    const what = `the ${plural(group.length, 'plan')} for ${names.join(', ')}`;
    return guard ? ['', ...guardLines(what, guard, styleFor(color))] : [];
  });
}

function anonymous(
  { reason, remedies }: ExplainedGuard,
  environment: string,
): Pick<ExplainedGuard, 'reason' | 'remedies'> {
  const without = (text: string) =>
    replaceWord(text, (word, before = '') =>
      word === environment && ['-e', 'environment'].includes(before) ? 'ENVIRONMENT' : word,
    );
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
