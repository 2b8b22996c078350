import { type Address, parseAddress } from '../catalog/model.ts';
import { entriesOf } from '../state/entries.ts';
import { isHolding, standingOf, strayIds } from '../state/entry.ts';
import type { ImportPlan, ImportRow } from '../state/import/check-import.ts';
import type { State, StateEntry, Target } from '../state/model.ts';
import type { Loss, ReplacementRisks } from '../state/version.ts';
import type { Owner } from '../text/diagnostic.ts';
import { importCommand, type OtherIds, onceDeclared, otherIdSteps } from './messages/sentences.ts';
import { describeOwner } from './messages/state-command-problems.ts';
import { describeTarget } from './plan-summary.ts';
import {
  alignColumns,
  columnWidth,
  escapeTerminal,
  inColor,
  linesOf,
  paragraphs,
  styled,
  textOf,
  wrapWords,
} from './terminal.ts';
import { pluralize } from './words.ts';

/** Whether the catalog declares an address; undefined if it is not valid now. */
type Declared = boolean | undefined;

export interface MovedView {
  readonly from: string;
  readonly to: string;
  readonly declared: { readonly from: Declared; readonly to: Declared };
  readonly flags: string;
}

/** What `trove state mv` has done, and what the next plan makes of it. */
export function renderMoved({ from, to, declared, flags }: MovedView): string {
  const isNew = declared.to
    ? 'plan treats it as new.'
    : 'plan blocks it, because it looks like the record that was moved.';
  return paragraphs(
    `${from} is now recorded as ${to}. Nothing was sent.`,
    declarationNote(from, declared.from, true, isNew),
    declarationNote(to, declared.to, false, 'plan treats it as removed.'),
    `In the catalog, moved: [{ from: ${from}, to: ${to} }] does the same for every environment, and can be reviewed.`,
    `Next: trove plan${flags}`,
  );
}

/** The ids that are about to be lost, so that they stand in the scrollback at least. */
export function renderForgetting(
  address: string,
  entries: readonly StateEntry[],
  isDeclared: Declared,
): string {
  const rows = entries.flatMap((entry) => {
    const options = Object.entries(('options' in entry && entry.options) || {});
    return [
      ['', address, standingOf(entry), 'id' in entry ? entry.id : ''],
      ...options.map(([option, id]) => ['', `${address}.${option}`, 'option', id]),
      ...strayIds(entry).map((id) => ['', address, 'other ID', id]),
    ];
  });
  const held = 'it is not created again without --confirm-new.';
  const notes = paragraphs(
    entries.some(({ status }) => status !== 'imported')
      ? 'The service keeps the record (it has no delete); only Trove forgets it.'
      : 'The ID was never confirmed: the service may have no such record. If it has one, it keeps it.',
    declarationNote(address, isDeclared, true, held),
  );
  return `To be forgotten:\n${alignColumns(rows)}${notes}`;
}

export function renderForgotten(
  entry: StateEntry,
  others: OtherIds,
  isDeclared: Declared,
  flags: string,
): string {
  const { address } = entry;
  const id = 'id' in entry ? entry.id : 'ID';
  const text = paragraphs(
    `To restore it${onceDeclared(isDeclared)}: ${importCommand(address, id, flags)}`,
    otherIdSteps(others, isDeclared, flags),
  );
  return `\nForgotten: ${address}.\n${text}`;
}

/** What follows if the catalog declares an address (or, if `wanted` is false, does not); undefined if it is otherwise. */
function declarationNote(address: string, isDeclared: Declared, wanted: boolean, then: string) {
  const declares = `catalog ${wanted ? 'declares' : 'does not declare'} ${address}`;
  if (isDeclared === undefined) return `If the ${declares}, ${then}`;
  return isDeclared === wanted ? `The ${declares}: ${then}` : undefined;
}

export interface ListedEntry {
  readonly address: string;
  readonly status: string;
  /** An update of it was sent and not seen, which the status alone does not tell. */
  readonly unconfirmed?: boolean;
  /** Null if it is not known. */
  readonly id: string | null;
  readonly at: string;
}

/** A table of what is recorded. The ID comes last, since it may be long. */
export function renderStateList(entries: readonly ListedEntry[], environment: string): string {
  if (entries.length === 0) return `Nothing is recorded for ${environment}.\n`;
  const rows = entries.map(({ address, status, unconfirmed, id }) => [
    address,
    unconfirmed ? `${status}, unconfirmed` : status,
    id ?? 'not known',
  ]);
  return alignColumns([['ADDRESS', 'STATUS', 'ID'], ...rows]);
}

export const nothingRecordedText = (environment: string) =>
  `Environment ${environment} has no state yet: nothing is recorded.\n`;
export const sameStateText = 'The state is identical; nothing was changed.\n';
export const dryRunText = '\nDry run: nothing was recorded.\n';

/** What the state is after a push; after a forced one also what it has lost, so that it stands in the scrollback. */
export function renderPushed(state: State, { lost }: Pick<ReplacementRisks, 'lost'>, flags: string): string {
  const { entries, serial } = state;
  const records = entries.filter(isHolding).length;
  const rows = lost.map((loss) => [
    '',
    loss.address,
    loss.what === 'id' ? loss.id : `a pending ${loss.what}`,
  ]);
  const losses =
    rows.length === 0 ? '' : `No longer recorded:\n${alignColumns(rows)}${stepsAfter(state, lost, flags)}`;
  return `State replaced: ${pluralize(records, 'record')}, serial ${serial}.\n${losses}`;
}

function stepsAfter(state: State, lost: ReplacementRisks['lost'], flags: string): string {
  const entries = entriesOf(state);
  const isTaken = ({ address }: Loss) =>
    (['live', 'imported'] as const).some((status) => entries.find(status, address as Address));
  const isOption = ({ address }: Loss) => parseAddress(address)?.option !== undefined;
  return paragraphs(
    `Import those that still exist; until then, plans block their creates: trove import${flags} ADDRESS ID`,
    lost.some(isTaken) &&
      `Where the state has another record, forget that one first: trove state forget${flags} ADDRESS`,
    lost.some(isOption) && 'The next update of a classifier records the IDs of its options.',
  );
}

const ROWS_SHOWN = 100;

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
  const [fresh, known] = [rows.filter(isNew), rows.filter((row) => !isNew(row))];
  const shown = [...fresh, ...known].slice(0, ROWS_SHOWN);
  const widest = columnWidth(shown.map(({ address }) => address));
  const folded = rows.length - shown.length;
  const title = `Import for ${environment}: ${describeTarget({ target })}`;
  const already = `${countOf(known)} already recorded`;
  const summary =
    fresh.length === 0
      ? `Nothing to import: ${already}.`
      : `Import: ${countOf(fresh)}${known.length > 0 ? `; ${already}` : ''}.`;
  const text = textOf(
    wrapWords(title).map((line) => styled('bold', line)),
    fresh.length > 0 &&
      styled('dim', 'Nothing is sent. The next apply writes each record once to confirm its ID.'),
    '',
    shown.map(({ address, id, outcome }) => {
      const { label, format } = marks[outcome];
      return `${styled(format, label)}${address.padEnd(widest)}  ${escapeTerminal(id)}`;
    }),
    folded > 0 && `           ... and ${folded} more; --format json lists them all`,
    '',
    styled('bold', summary),
  );
  return inColor(color, text);
}

export function renderImported({ rows }: ImportPlan, environment: string): string {
  return `Recorded for ${environment}: ${countOf(rows.filter(isNew))}.\n`;
}

function isNew({ outcome }: ImportRow): boolean {
  return outcome === 'import';
}

function countOf(rows: readonly ImportRow[]): string {
  const options = rows.filter(({ address }) => parseAddress(address)?.option !== undefined).length;
  const records = rows.length - options;
  return linesOf(
    records > 0 && pluralize(records, 'record'),
    options > 0 && pluralize(options, 'option'),
  ).join(' and ');
}

export function renderRunUnderWay(environment: string, owner: Owner | undefined): string {
  const note = `The state of ${environment} is locked, so this plan may be outdated: ${describeOwner(owner)}.`;
  return textOf(wrapWords(note, '', '  '));
}

export function renderTakeover(owner: Owner): string {
  const takeover = `An earlier run ended without releasing its lock: ${describeOwner(owner)}. The lock was taken over.`;
  return textOf(wrapWords(takeover, '', '  '));
}

export function renderRecovered(entries: number): string {
  return `Replayed ${pluralize(entries, 'journal entry')} from an interrupted run.\n`;
}

/** What became of `trove state unlock`; without a lock nothing. */
export function renderUnlocked(held: { readonly owner?: Owner | undefined } | undefined): string {
  if (!held) return 'The state is not locked.\n';
  return textOf(wrapWords(`Unlocked: it was held by ${describeOwner(held.owner)}.`, '', '  '));
}
