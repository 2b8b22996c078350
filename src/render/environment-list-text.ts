import type { Target } from '../state/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { countOf } from '../text/problem-list.ts';
import { problemJson } from './diagnostic-reports.ts';
import { alignColumns, columnWidth, linesOf, renderJson, WIDTH } from './terminal.ts';

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
  /** What does not fit goes away step by step: the time of the day, the retired, the service, the team. */
  readonly from?: number;
  readonly until?: number;
  /** Left out if nobody has anything in it. */
  readonly isOptional?: boolean;
}

const STEPS = [0, 1, 2, 3, 4];

const columns: readonly Column[] = [
  { title: 'ENVIRONMENT', cell: ({ name }) => name },
  { title: 'SERVICE', cell: ({ target }) => (target ? shortUrl(target.baseUrl) : '-'), until: 3 },
  { title: 'TEAM', cell: ({ target }) => target?.teamId ?? '-', until: 4 },
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
  const fits = (table: string) => columnWidth(table.split('\n')) <= WIDTH;
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

/** Without what nearly all have in common: `https://` before it and `/api` behind it. */
function shortUrl(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\//, '').replace(/\/api$/, '');
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
