import type {
  AddressDifference,
  EnvironmentsDifference,
  Presence,
  ValueDifference,
} from '../plan/compare-environments.ts';
import type { Target } from '../state/model.ts';
import { countOf } from '../text/problem-list.ts';
import { problemJson } from './diagnostic-reports.ts';
import type { ExplainedDiagnostic } from './messages/explain-problem.ts';
import { catalogFlags, commandFlags } from './messages/sentences.ts';
import { describeTarget, serviceText } from './plan-summary.ts';
import {
  alignColumns,
  columnWidth,
  escapeTerminal,
  fitting,
  inColor,
  labeled,
  linesOf,
  renderJson,
  styled,
  textOf,
  wrapWords,
} from './terminal.ts';
import { pluralize, valueText } from './words.ts';

/** How one environment stands, from files alone. */
export interface ListedEnvironment {
  readonly name: string;
  /** Null where its file is not valid. */
  readonly target: Target | null;
  /** Null where its state can't be read. */
  readonly recorded: RecordedCounts | null;
  /** Changes that the interface has no way for. Null where no plan can be made. */
  readonly blocked: number | null;
  /** Why something of the above is null: what can't be used, and everything that is wrong with it. */
  readonly trouble: {
    readonly of: 'file' | 'state' | 'plan';
    readonly problems: readonly ExplainedDiagnostic[];
  } | null;
}

export interface RecordedCounts {
  /** In use, each with an answer. */
  readonly records: number;
  readonly retired: number;
  /** Ids that a person named and no answer has confirmed. */
  readonly imported: number;
  /** Creates with an unknown outcome. */
  readonly unknown: number;
  /** ISO 8601 instant of the latest answer; null where there is none. */
  readonly lastApply: string | null;
}

interface Column {
  readonly title: string;
  readonly cell: (environment: ListedEnvironment) => string;
  /** What does not fit goes away step by step: the time of the day, the retired, the service, the team. */
  readonly from?: number;
  readonly until?: number;
  /** Left out if every row is empty. */
  readonly isOptional?: boolean;
}

const STEPS = [0, 1, 2, 3, 4];

const columns: readonly Column[] = [
  { title: 'ENVIRONMENT', cell: ({ name }) => name },
  { title: 'SERVICE', cell: ({ target }) => (target ? serviceText(target) : '-'), until: 3 },
  // A team may be named `-`, and not by nothing.
  { title: 'TEAM', cell: ({ target }) => target?.teamId ?? '', until: 4 },
  { title: 'RECORDS', cell: ({ recorded }) => numberText(recorded?.records) },
  { title: 'RETIRED', cell: ({ recorded }) => numberText(recorded?.retired), until: 2, isOptional: true },
  { title: 'LAST APPLY (UTC)', cell: (each) => lastApply(each, 'YYYY-MM-DDTHH:MM'.length), until: 1 },
  { title: 'LAST APPLY', cell: (each) => lastApply(each, 'YYYY-MM-DD'.length), from: 1 },
  { title: 'OPEN', cell: openWords, isOptional: true },
];

/** A table of all environments that fits the terminal if it can. */
export function renderEnvironmentList(environments: readonly ListedEnvironment[]): string {
  const filled = columns.filter(
    ({ cell, isOptional }) =>
      !isOptional || environments.some((each) => !['', '0', '-'].includes(cell(each).trim())),
  );
  const tables = STEPS.map((step) => {
    const shown = filled.filter(({ from = 0, until = STEPS.length }) => from <= step && step < until);
    const rows = environments.map((each) => shown.map(({ cell }) => cell(each)));
    return alignColumns([shown.map(({ title }) => title), ...rows]);
  });
  return fitting(tables);
}

/** The commands that say more about what is wrong, a line each; empty where nothing is. */
export function renderWhereToLook(
  listed: readonly ListedEnvironment[],
  isCatalogValid: boolean,
  catalog: string,
): string {
  const isInvalid = !isCatalogValid || listed.some(({ trouble }) => trouble?.of === 'file');
  const flags = catalogFlags(catalog);
  const lines = linesOf(
    !isCatalogValid && 'The catalog is not valid, so nothing can be planned.',
    isInvalid && `To see every problem: trove validate${flags}`,
    ...listed.map(({ name, trouble }) => {
      const flags = commandFlags({ catalog, environment: name });
      if (trouble?.of === 'state') return `To see what is wrong with its state: trove doctor${flags}`;
      return trouble?.of === 'plan' && `To see why it can't be planned: trove plan${flags}`;
    }),
  );
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** For programs: numbers are null where they are not known. */
export function renderEnvironmentListJson(environments: readonly ListedEnvironment[]): string {
  const nothing = { records: null, retired: null, imported: null, unknown: null, lastApply: null };
  const rows = environments.map(({ name: environment, target, recorded, blocked, trouble }) => ({
    environment,
    target,
    ...(recorded ?? nothing),
    blocked,
    problems: (trouble?.problems ?? []).map(problemJson),
  }));
  return renderJson({ formatVersion: 1, environments: rows });
}

function numberText(number: number | undefined): string {
  return String(number ?? '-').padStart('RECORDS'.length);
}

function lastApply({ recorded }: ListedEnvironment, length: number): string {
  if (!recorded) return '-';
  return recorded.lastApply?.slice(0, length).replace('T', ' ') ?? 'never';
}

const troubles = { file: 'not valid', state: 'state not usable', plan: "can't be planned" } as const;

function openWords({ recorded, blocked, trouble }: ListedEnvironment): string {
  const { unknown = 0, imported = 0 } = recorded ?? {};
  return linesOf(
    trouble !== null && `${troubles[trouble.of]}: ${pluralize(countOf(trouble.problems), 'problem')}`,
    unknown > 0 && `${unknown} unknown`,
    blocked !== null && blocked > 0 && `${blocked} blocked`,
    imported > 0 && `${imported} imported`,
  ).join(', ');
}

export interface ComparedEnvironment {
  readonly environment: string;
  readonly target: Target;
  /** Something was recorded once. */
  readonly hasState: boolean;
}

type Pair = readonly [one: ComparedEnvironment, other: ComparedEnvironment];

/** Longer lists are cut, to stay readable; the JSON has all. */
const SHOWN = 100;

/** Who is compared, then what they have differently: settings, what is declared, what is recorded. */
export function renderEnvironmentsDifference(
  { settings, declared, recorded }: EnvironmentsDifference,
  pair: Pair,
  color: boolean,
): string {
  const section = (title: string, lines: readonly string[]) =>
    linesOf(lines.length > 0 && [styled('bold', title), ...lines, '']);
  const targets = pair.map((each) => {
    const target = `${describeTarget(each)}${each.hasState ? '' : '; nothing recorded yet'}`;
    return [each.environment, target] as const;
  });
  const found = linesOf(
    settings.length > 0 && pluralize(settings.length, 'setting'),
    declared.length > 0 && pluralize(declared.length, 'declared resource'),
    recorded.length > 0 && pluralize(recorded.length, 'recorded resource'),
  );
  const names = pair.map(({ environment }) => environment).join(' and ');
  const text = textOf(
    labeled(targets),
    wrapWords('Based on environment files and recorded state; no service was contacted.'),
    '',
    section('Settings', valueLines(settings, '  ')),
    section('Declared', addressLines(declared, pair)),
    section('Recorded', recordedLines(recorded, pair)),
    wrapWords(
      `${names} ${found.length === 0 ? 'have no differences' : `differ in ${found.join(', ')}`}.`,
    ).map((line) => styled('bold', line)),
  );
  return inColor(color, text);
}

export function renderEnvironmentsDifferenceJson(
  difference: EnvironmentsDifference,
  [one, other]: Pair,
): string {
  return renderJson({ formatVersion: 1, one, other, ...difference });
}

/** Where nothing was ever recorded, a list of all that is elsewhere would tell nothing more than its length. */
function recordedLines(differences: readonly AddressDifference[], pair: Pair): readonly string[] {
  const [filled, ...others] = pair.filter(({ hasState }) => hasState);
  if (others.length > 0 || filled === undefined || differences.length === 0)
    return addressLines(differences, pair);
  return [`  ${pluralize(differences.length, 'resource')} only in ${filled.environment}`];
}

function addressLines(differences: readonly AddressDifference[], pair: Pair): readonly string[] {
  const listed = differences.slice(0, SHOWN);
  const addresses = listed.map(({ address }) => address);
  const width = columnWidth(addresses, 36);
  const rest = differences.length - listed.length;
  return linesOf(
    ...listed.flatMap((difference) => {
      const words = presenceWords(difference, pair);
      const address = `  ${escapeTerminal(difference.address)}`;
      return [
        words === '' ? address : wrapWords(words, `${address.padEnd(width + 2)}  `, '      '),
        valueLines(difference.fields, '    '),
      ];
    }),
    rest > 0 && `  ... and ${rest} more; --format json lists them all`,
  );
}

/** Empty where both have it, and only values differ. */
function presenceWords({ one, other }: AddressDifference, pair: Pair): string {
  if (one === other) return presence(one);
  const sides = pair.map(({ environment }, at) => ({ environment, state: at === 0 ? one : other }));
  const [only, both] = sides.filter(({ state }) => state !== 'absent');
  if (only && !both)
    return `only in ${only.environment}${presence(only.state) && ` (${presence(only.state)})`}`;
  return sides
    .flatMap(({ environment, state }) => (presence(state) ? `${presence(state)} in ${environment}` : []))
    .join(', ');
}

/** Empty for what is as one expects it. */
function presence(state: Presence): string {
  if (state === 'pending') return 'unknown';
  return ['declared', 'absent', 'recorded'].includes(state) ? '' : state;
}

function valueLines(differences: readonly ValueDifference[], indent: string): readonly string[] {
  const rows = differences.map(({ path, one, other }) => [path, `${shown(one)} | ${shown(other)}`] as const);
  return labeled(rows, indent, 40);
}

function shown(value: unknown): string {
  const isUnmanaged = typeof value === 'object' && value !== null && '$notManaged' in value;
  return isUnmanaged ? '(not managed)' : valueText(value);
}
