import { parseAddress } from '../catalog/model.ts';
import { standingOf } from '../state/entries.ts';
import type { ImportPlan, ImportRow } from '../state/import/check-import.ts';
import type { LockOwner } from '../state/lock-owner.ts';
import type { State, StateEntry, Target } from '../state/model.ts';
import type { ReplacementRisks } from '../state/version.ts';
import { pluralize } from '../text/pluralize.ts';
import { quotedForShell } from '../text/quoted.ts';
import { describeTarget } from './plan-view.ts';
import { alignColumns, columnWidth, escapeTerminal, paragraphs, styleFor, wrapWords } from './terminal.ts';

export interface MovedView {
  readonly from: string;
  readonly to: string;
  /** Undefined where the catalog is not valid now, so that nobody knows. */
  readonly declared: { readonly from: boolean | undefined; readonly to: boolean | undefined };
  readonly flags: string;
}

/** What `trove state mv` has done, and what the next plan makes of it. */
export function renderMoved({ from, to, declared, flags }: MovedView): string {
  return paragraphs(
    `${from} is now recorded as ${to}. Nothing was sent.`,
    ...ifDeclared(from, declared.from, 'to plan it is new, and its create would make a second record.'),
    ...ifNotDeclared(to, declared.to, 'to plan it is removed.'),
    `In the catalog, moved: [{ from: ${from}, to: ${to} }] does the same for every environment, and can be reviewed.`,
    `What comes next: trove plan${flags}`,
  );
}

/** The ids that are about to be lost, so that they stand in the scrollback at least. */
export function renderForgetting(
  address: string,
  entries: readonly StateEntry[],
  isDeclared: boolean | undefined,
): string {
  const rows = entries.flatMap((entry) => [
    ['', address, standingOf(entry), 'id' in entry ? entry.id : ''],
    ...Object.entries(('options' in entry && entry.options) || {}).map(([option, optionId]) => [
      '',
      `${address}.${option}`,
      'option',
      optionId,
    ]),
  ]);
  return [
    'To be forgotten:\n',
    alignColumns(rows),
    paragraphs(
      'The service keeps what it has, since there is no delete. Only Trove forgets.',
      ...ifDeclared(
        address,
        isDeclared,
        'it is not created a second time before somebody says so (--confirm-new).',
      ),
    ),
  ].join('');
}

export function renderForgotten(entry: StateEntry, isDeclared: boolean | undefined, flags: string): string {
  const { address } = entry;
  const id = 'id' in entry ? entry.id : 'ID';
  const command = `trove import${flags} ${address} ${quotedForShell(id)}`;
  const when = isDeclared ? '' : ', once the catalog declares it';
  return `\nForgotten: ${address}.\n${paragraphs(`To have it back${when}: ${command}`)}`;
}

/** Here and below, `isDeclared` is undefined if the catalog is not valid. */
function ifDeclared(address: string, isDeclared: boolean | undefined, then: string): readonly string[] {
  if (isDeclared === undefined) return [`If the catalog declares ${address}, ${then}`];
  return isDeclared ? [`The catalog declares ${address}: ${then}`] : [];
}

function ifNotDeclared(address: string, isDeclared: boolean | undefined, then: string): readonly string[] {
  if (isDeclared === undefined) return [`If the catalog does not declare ${address}, ${then}`];
  return isDeclared ? [] : [`The catalog does not declare ${address}: ${then}`];
}

export interface ListedEntry {
  readonly address: string;
  readonly status: string;
  /** Null if it is not known. */
  readonly id: string | null;
  readonly at: string;
}

/** A table of what is recorded. The ID comes last, since it may be long. */
export function renderStateList(entries: readonly ListedEntry[], environment: string): string {
  if (entries.length === 0) return `Nothing is recorded for ${environment}.\n`;
  const rows = entries.map(({ address, status, id }) => [address, status, id ?? 'not known']);
  return alignColumns([['ADDRESS', 'STATUS', 'ID'], ...rows]);
}

/** What the state is after a push. */
export function renderPushed({ entries, serial }: State): string {
  const records = entries.filter(({ status }) => status !== 'pending' && status !== 'forgotten').length;
  return `The state is replaced: ${pluralize(records, 'record')}, serial ${serial}.\n`;
}

/** What a forced push has lost, so that it stands in the scrollback at least. */
export function renderLost({ lost }: Pick<ReplacementRisks, 'lost'>): string {
  if (lost.length === 0) return '';
  const rows = lost.map(({ address, id }) => ['', address, id ?? 'a pending create']);
  return `Lost with it:\n${alignColumns(rows)}`;
}

const ROWS_SHOWN = 100;
const CONFIRMED_LATER = 'Nothing is sent. The next apply writes each of them once to confirm it.';

const marks = {
  import: { label: '& import   ', format: 'cyan' },
  known: { label: '= known    ', format: 'gray' },
} as const;

/** What an import would record: what is new comes first. */
export function renderImportPreview(
  { rows }: ImportPlan,
  { environment, target }: { readonly environment: string; readonly target: Target },
  color: boolean,
): string {
  const style = styleFor(color);
  const sorted = rows.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)));
  const shown = sorted.slice(0, ROWS_SHOWN);
  const widest = columnWidth(shown.map(({ address }) => address));
  const folded = rows.length - shown.length;
  const title = `Import for ${environment}: ${describeTarget({ target })}`;
  return [
    ...wrapWords(title).map((line) => style('bold', line)),
    ...(rows.some(isNew) ? [style('dim', CONFIRMED_LATER)] : []),
    '',
    ...shown.map(({ address, id, outcome }) => {
      const { label, format } = marks[outcome];
      return `${style(format, label)}${address.padEnd(widest)}  ${escapeTerminal(id)}`;
    }),
    ...(folded > 0 ? [`           ... and ${folded} more; --format json lists them all`] : []),
    '',
    style('bold', summaryOf(rows)),
    '',
  ].join('\n');
}

/** What an import has recorded, in one sentence. */
export function renderImported({ rows }: ImportPlan, environment: string): string {
  return `Recorded for ${environment}: ${countOf(rows.filter(isNew))}.\n`;
}

function summaryOf(rows: readonly ImportRow[]): string {
  const known = rows.filter(({ outcome }) => outcome === 'known');
  const fresh = rows.filter(isNew);
  if (fresh.length === 0) return `Nothing to import: ${countOf(known)} known already.`;
  return `Import: ${countOf(fresh)}${known.length > 0 ? `; ${countOf(known)} known already` : ''}.`;
}

function isNew({ outcome }: ImportRow): boolean {
  return outcome === 'import';
}

function countOf(rows: readonly ImportRow[]): string {
  const options = rows.filter(({ address }) => parseAddress(address)?.option !== undefined).length;
  const records = rows.length - options;
  return [
    ...(records > 0 ? [pluralize(records, 'record')] : []),
    ...(options > 0 ? [pluralize(options, 'option')] : []),
  ].join(' and ');
}

/** Who holds a lock, in one phrase: enough to find the process, or the person. */
export function describeOwner(owner: LockOwner | undefined): string {
  if (!owner) return 'somebody who left no name';
  const {
    who,
    operation,
    since,
    process: { pid },
  } = owner;
  return escapeTerminal(`${who}, process ${pid}, trove ${operation} since ${since}`);
}
