import { createHash } from 'node:crypto';
import equal from 'fast-deep-equal';
import { kindOf } from '../catalog/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { fold } from './draft.ts';
import { type Entries, EntryTable, entriesOf } from './entries.ts';
import {
  forgottenEntry,
  forgottenIds,
  type Holding,
  isHolding,
  isInDoubt,
  isSameCreate,
  strayIds,
} from './entry.ts';
import { formatState } from './format.ts';
import type { PendingCreate, State, StateEntry, Target, UnconfirmedUpdate } from './model.ts';

/** What tells one version of a state from all others. */
export interface StateVersion {
  readonly lineage: string;
  /** 0: nothing is stored; no stored state has it. */
  readonly serial: number;
  /** Of the text that `formatState` gives: two branches of a history can have one serial. */
  readonly digest: string;
}

/** A version that this machine has had: `revision` is the ID of its save. */
export type SavedVersion = Pick<State, 'lineage' | 'serial'> & { readonly revision?: string | undefined };

/** So many saves a state can be traced back. */
export const MOST_REVISIONS = 32;

/**
 * True for an earlier version of the same history, or a later one of another branch: either may lack what the newest has.
 * Of another history, or one that is too long ago, nothing can be said.
 */
export function isOlder(
  { lineage, serial, revisions = [] }: Pick<State, 'lineage' | 'serial' | 'revisions'>,
  newest: SavedVersion | undefined,
): boolean {
  if (newest === undefined || newest.lineage !== lineage) return false;
  if (serial < newest.serial) return true;
  if (newest.revision === undefined || revisions.length === 0) return false;
  const isTraced = revisions.length < MOST_REVISIONS || serial - newest.serial < MOST_REVISIONS;
  return isTraced && !revisions.includes(newest.revision);
}

/** Undefined: nothing is stored. */
export function versionOf(state: State | undefined): StateVersion {
  if (!state) return { lineage: '', serial: 0, digest: '' };
  return { lineage: state.lineage, serial: state.serial, digest: digestOf(formatState(state)) };
}

/** A version that nothing is stored of is any such version. */
export function isSameVersion(one: StateVersion, other: StateVersion): boolean {
  if (one.serial === 0 || other.serial === 0) return one.serial === other.serial;
  return one.lineage === other.lineage && one.serial === other.serial && one.digest === other.digest;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The complaint about a state that belongs to another service or team than `target`, or undefined where it
 * belongs: its ids mean nothing elsewhere, and writing with them would hit foreign records.
 */
export function assertTarget(state: Pick<State, 'target'>, target: Target): Diagnostic | undefined {
  if (state.target.baseUrl === target.baseUrl && state.target.teamId === target.teamId) return undefined;
  return error('state-of-another-target', { recorded: state.target, named: target });
}

/** Why one state can't replace another unless a person says so. */
export interface ReplacementRisks {
  readonly otherLineage: boolean;
  readonly lowerSerial: boolean;
  /** What only the state to be replaced has. */
  readonly lost: readonly Loss[];
}

/** An ID; or that the outcome of a create, or of an update, is unknown. */
export type Loss =
  | { readonly what: 'id'; readonly address: string; readonly id: string }
  | { readonly what: 'create' | 'update'; readonly address: string };

/** Compares what is recorded with what shall replace it. */
export function replacementRisks(recorded: State, replacement: State): ReplacementRisks {
  const after = entriesOf(replacement);
  const optionIds = new Set(optionsOf(replacement).map(({ id }) => id));
  const isHeld = ({ address, id }: Pick<Holding, 'address' | 'id'>) =>
    after.holderOf(kindOf(address), id) !== undefined;
  const lostIds = [
    ...recorded.entries.filter(isHolding).filter((each) => !isHeld(each)),
    ...optionsOf(recorded).filter(({ id }) => !optionIds.has(id)),
    ...recorded.entries.flatMap((entry) => {
      const { address } = entry;
      return strayIds(entry)
        .map((id) => ({ address, id }))
        .filter(({ id }) => after.naming(kindOf(address), id).size === 0);
    }),
  ];
  const lostUpdates = recorded.entries.filter(isInDoubt).filter(({ address, id, at, unconfirmed }) => {
    const holder = after.holderOf(kindOf(address), id);
    const record = holder && after.at(holder).find((each) => isHolding(each) && each.id === id);
    if (!unconfirmed || !record || !isHolding(record)) return false;
    // The answer that the update came after is no newer, whatever clocks say.
    const isSame = record.at === at && !record.unconfirmed;
    return isSame || !coversUpdate(record, unconfirmed);
  });
  return {
    otherLineage: recorded.lineage !== replacement.lineage,
    lowerSerial: replacement.serial < recorded.serial,
    lost: [
      ...lostIds.map(({ address, id }) => ({ what: 'id' as const, address, id })),
      ...lostCreates(recorded, replacement).map(({ address }) => ({ what: 'create' as const, address })),
      ...lostUpdates.map(({ address }) => ({ what: 'update' as const, address })),
    ],
  };
}

/** The pending creates that the replacement does not have, at their address or at another. */
function lostCreates(recorded: State, replacement: State): readonly PendingCreate[] {
  const [before, after] = [entriesOf(recorded), entriesOf(replacement)];
  const others = after.all('pending');
  const isElsewhere = (pending: PendingCreate) =>
    others.some((each) => each.address !== pending.address && isSameCreate(each, pending));
  // An ID that came since tells what became of the create.
  const isKnown = ({ address, id }: Holding) =>
    [...before.naming(kindOf(address), id)].some(({ status }) => status !== 'pending');
  const isNew = (entry: StateEntry) => isHolding(entry) && !isKnown(entry);
  return before.all('pending').filter((pending) => {
    const isKept = isPendingIn(after, comparable(pending, after)) || isElsewhere(pending);
    return !isKept && !after.at(pending.address).some(isNew);
  });
}

/**
 * The entries of a replacement that a person forces, with what stays open of what is recorded: a pending create is still
 * pending, and each record whose ID is let go of may still exist, so new creates of its address wait.
 */
export function withOpen(recorded: State, replacement: State, at: string): readonly StateEntry[] {
  const table = new EntryTable(replacement.entries);
  const addresses = new Set(recorded.entries.map(({ address }) => address));
  const events = [...addresses].map((address) => ({ type: 'forgotten' as const, address, at }));
  for (const forgotten of entriesOf(fold(recorded, events)).all('forgotten')) {
    const { address, names } = forgotten;
    const kept = table.find('forgotten', address);
    const had = forgottenIds(kept);
    const isHeld = (each: string) => table.holderOf(kindOf(address), each) !== undefined;
    const lost = forgottenIds(forgotten).filter((each) => !isHeld(each) && !had.includes(each));
    if (lost.length > 0)
      table.put(forgottenEntry(address, forgotten.at, [...lost, ...had], { ...kept?.names, ...names }));
  }
  for (const create of lostCreates(recorded, replacement)) putPending(create, table, at);
  return table.sorted();
}

/** One create of an address is pending, the last. What else was known of it is let go of, and no create asks for it. */
function putPending(create: PendingCreate, table: EntryTable, at: string): void {
  const { address } = create;
  const other = table.find('pending', address);
  const isLast = create.at >= (other?.at ?? '');
  if (isLast) table.put(create);
  const dropped = [isLast ? other : create, table.take('imported', address)];
  const ids = dropped.flatMap((each) =>
    each ? [...('id' in each ? [each.id] : []), ...strayIds(each)] : [],
  );
  const kept = table.find('forgotten', address);
  if (ids.length > 0)
    table.put(forgottenEntry(address, at, [...ids, ...forgottenIds(kept)], kept?.names ?? {}));
}

/** A create of the same ID may have been sent again with another body: it is the same one. */
function comparable(pending: PendingCreate, after: Entries): OpenCreate {
  const { request, ...rest } = pending;
  const { id } = request.body;
  const isSame = typeof id === 'string' && after.find('pending', pending.address)?.request.body.id === id;
  return isSame ? rest : pending;
}

/** A create that events or another state leave open, as far as they tell of it. */
export type OpenCreate = Pick<PendingCreate, 'address'> & Partial<Omit<PendingCreate, 'status'>>;

/** Whether a create is still pending, with every ID that was answered to it. */
export function isPendingIn(
  entries: Entries,
  { address, at, request, answer, otherId }: OpenCreate,
): boolean {
  const pending = entries.find('pending', address);
  return (
    pending !== undefined &&
    (at === undefined || pending.at >= at) &&
    (request === undefined || equal(pending.request, request)) &&
    (answer === undefined || pending.answer?.id === answer.id) &&
    (otherId === undefined || pending.otherId === otherId)
  );
}

/** Whether what is known of a record is as new as an update of it, or leaves that open. */
export function coversUpdate({ at, unconfirmed }: Holding, update: Pick<UnconfirmedUpdate, 'at'>): boolean {
  return at >= update.at || (unconfirmed?.at ?? '') >= update.at;
}

function optionsOf({ entries }: State) {
  return entries
    .filter(isHolding)
    .flatMap(({ address, options = {} }) =>
      Object.entries(options).map(([option, id]) => ({ address: `${address}.${option}`, id })),
    );
}
