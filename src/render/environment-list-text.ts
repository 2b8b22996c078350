import type { Target } from '../state/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { countOf } from '../text/problem-list.ts';
import { problemJson } from './diagnostic-reports.ts';
import { alignColumns, renderJson, WIDTH } from './terminal.ts';

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
    readonly problems: readonly Diagnostic[];
  } | null;
}

export interface RecordedCounts {
  /** In use, each with an answer. */
  readonly records: number;
  readonly retired: number;
  /** Ids that a person named and no answer has confirmed. */
  readonly imported: number;
  /** Creates whose outcome nobody saw. */
  readonly unknown: number;
  /** ISO 8601 instant of the latest answer; null where there is none. */
  readonly lastApply: string | null;
}

interface Column {
  readonly title: string;
  readonly cell: (environment: ListedEnvironment) => string;
}

const name: Column = { title: 'ENVIRONMENT', cell: ({ name }) => name };
const service: Column = { title: 'SERVICE', cell: ({ target }) => (target ? shortUrl(target.baseUrl) : '-') };
const team: Column = { title: 'TEAM', cell: ({ target }) => target?.teamId ?? '-' };
const records: Column = { title: 'RECORDS', cell: ({ recorded }) => numberText(recorded?.records, 7) };
const retired: Column = { title: 'RETIRED', cell: ({ recorded }) => numberText(recorded?.retired, 7) };
const day: Column = { title: 'LAST APPLY', cell: (each) => lastApply(each, 'YYYY-MM-DD'.length) };
const minute: Column = {
  title: 'LAST APPLY (UTC)',
  cell: (each) => lastApply(each, 'YYYY-MM-DDTHH:MM'.length),
};
const open: Column = { title: 'OPEN', cell: (each) => openWords(each) };

/** What does not fit goes away in this order: the time of the day, the retired, the service, the team. */
const layouts: readonly (readonly Column[])[] = [
  [name, service, team, records, retired, minute, open],
  [name, service, team, records, retired, day, open],
  [name, service, team, records, day, open],
  [name, team, records, day, open],
  [name, records, day, open],
];

/** A table of all environments that fits the terminal; a column in which nobody has anything is left out. */
export function renderEnvironmentList(environments: readonly ListedEnvironment[]): string {
  const isWanted = (column: Column) =>
    column === retired
      ? environments.some(({ recorded }) => recorded && recorded.retired > 0)
      : column !== open || environments.some((each) => openWords(each) !== '');
  const tables = layouts.map((columns) => tableOf(environments, columns.filter(isWanted)));
  return tables.find(fits) ?? tables.at(-1) ?? '';
}

/** For programs: numbers are null where they are not known. */
export function renderEnvironmentListJson(environments: readonly ListedEnvironment[]): string {
  const rows = environments.map(({ name: environment, target, recorded, blocked, trouble }) => ({
    environment,
    target,
    records: recorded?.records ?? null,
    retired: recorded?.retired ?? null,
    imported: recorded?.imported ?? null,
    unknown: recorded?.unknown ?? null,
    lastApply: recorded?.lastApply ?? null,
    blocked,
    problems: (trouble?.problems ?? []).map(problemJson),
  }));
  return renderJson({ formatVersion: 1, environments: rows });
}

function tableOf(environments: readonly ListedEnvironment[], columns: readonly Column[]): string {
  const rows = environments.map((each) => columns.map(({ cell }) => cell(each)));
  return alignColumns([columns.map(({ title }) => title), ...rows]);
}

function fits(table: string): boolean {
  return table.split('\n').every((line) => [...line].length <= WIDTH);
}

/** Without what nearly all have in common: `https://` before it and `/api` behind it. */
function shortUrl(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\//, '').replace(/\/api$/, '');
}

function numberText(number: number | undefined, width: number): string {
  return String(number ?? '-').padStart(width);
}

function lastApply({ recorded }: ListedEnvironment, length: number): string {
  if (!recorded) return '-';
  return recorded.lastApply?.slice(0, length).replace('T', ' ') ?? 'never';
}

const troubles = { file: 'not valid', state: 'state not usable', plan: "can't be planned" } as const;

function openWords({ recorded, blocked, trouble }: ListedEnvironment): string {
  const { unknown = 0, imported = 0 } = recorded ?? {};
  return [
    ...(trouble ? [`${troubles[trouble.of]}: ${pluralize(countOf(trouble.problems), 'problem')}`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(blocked ? [`${blocked} blocked`] : []),
    ...(imported > 0 ? [`${imported} imported`] : []),
  ].join(', ');
}
