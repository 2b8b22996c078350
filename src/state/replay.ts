import { type Address, kindOf } from '../catalog/model.ts';
import { idIn } from '../contract/api.ts';
import {
  type Diagnostic,
  error,
  failure,
  type JournalMismatch,
  type Result,
  success,
} from '../text/diagnostic.ts';
import { fold } from './draft.ts';
import { type Entries, entriesOf, idKey, isHolding } from './entries.ts';
import type { EventOf, StateEvent } from './event.ts';
import { flawOf } from './format.ts';
import type { Journal } from './journal-format.ts';
import { newState, type State, type UnconfirmedUpdate } from './model.ts';
import type { MislaidJournal, StateStore } from './store.ts';
import {
  assertTarget,
  coversUpdate,
  isPendingIn,
  isSameVersion,
  type OpenCreate,
  versionOf,
} from './version.ts';

/** What is recorded, once the journal of an interrupted run is taken in. */
export interface Replayed {
  readonly state: State;
  /** As it is stored: what a journal continues. */
  readonly stored: State;
  /** What the journal added to the stored state, in order. Empty if there was none, or only a finished one. */
  readonly events: readonly StateEvent[];
  /** There is a journal that the state has taken in: a crash came before its removal. */
  readonly isFinished?: true;
  /** What the journal makes of the state that shall be put back: it continues that, and not the stored one. */
  readonly restored?: State;
  /** What is stored can't be read: `stored` stands for it. */
  readonly isUnreadable?: true;
}

/** Joins a stored state and the journal beside it. `subject` is where they are, for the diagnostics. */
function replay(
  state: State | undefined,
  journal: Journal | undefined,
  subject: string,
): Result<Replayed | undefined> {
  if (!journal) return success(state && { state, stored: state, events: [] });
  const { header, events } = journal;
  // A run that was interrupted before its first save: the journal alone says what the state was, namely empty.
  const base = state ?? (header.serial === 0 ? newState(header) : undefined);
  if (!base) return failure(mismatch({ why: 'state-missing', journal: header.serial }, events, subject));
  const why = mismatchOf(base, journal);
  if (why) return failure(mismatch(why, events, subject));
  if (isSameVersion(header, versionOf(base))) return foldOnto(base, events, subject);
  return success({ state: base, stored: base, events: [], isFinished: true });
}

/** The events were written by Trove, or by whoever could put a file there. */
function foldOnto(base: State, events: readonly StateEvent[], subject: string): Result<Replayed> {
  try {
    const state = fold(base, events);
    // As the next save stores it: a state that was never saved has serial 0.
    const flaw = flawOf({ ...state, serial: base.serial + 1 });
    if (!flaw) return success({ state, stored: base, events });
    return failure(error('journal-contradiction', { why: 'invalid', ...flaw }, { subject }));
  } catch (cause) {
    const { message: said } = cause as Error;
    return failure(error('journal-contradiction', { why: 'impossible-event', said }, { subject }));
  }
}

const brokenState: ReadonlySet<string> = new Set(['state-invalid', 'state-not-json']);

/** If a journal continues `initial`, which was replaced without it. */
function restoredBy(
  initial: State | undefined,
  read: Result<State | undefined>,
  journal: Journal | undefined,
  subject: string,
): Result<Replayed> | undefined {
  if (!read.ok && !read.diagnostics.every(({ rule }) => brokenState.has(rule))) return undefined;
  if (!initial?.serial || !journal || !isSameVersion(journal.header, versionOf(initial))) return undefined;
  const folded = foldOnto(initial, journal.events, subject);
  if (!folded.ok) return folded;
  const stored = (read.ok && read.value) || { ...initial, serial: 0 };
  // With what the journal has, it is another version.
  const restored = { ...folded.value.state, serial: initial.serial + 1 };
  const unreadable = !read.ok && ({ isUnreadable: true } as const);
  return success({ state: stored, stored, events: journal.events, restored, ...unreadable });
}

/** Why a journal neither continues this state nor is taken in by it; undefined if it does or is. */
function mismatchOf(state: State, { header, events }: Journal): JournalMismatch | undefined {
  const serials = { journal: header.serial, state: state.serial };
  if (header.lineage !== state.lineage) return { why: 'other-lineage' };
  if (header.serial > state.serial) return { why: 'later-state', ...serials };
  if (assertTarget(state, header.target)) return { why: 'other-target' };
  if (stateCovers(state, events) || isSameVersion(header, versionOf(state))) return undefined;
  return header.serial === state.serial
    ? { why: 'other-contents', state: state.serial }
    : { why: 'not-taken-in', ...serials };
}

/** Its ids are named, since nothing else may have them. */
function mismatch(why: JournalMismatch, events: readonly StateEvent[], subject: string): Diagnostic {
  return error('journal-mismatch', { ...why, ids: leftBy(events).ids }, { subject });
}

/**
 * What a store has recorded: its state and what an interrupted run left in the journal; undefined if nothing
 * was ever recorded. Changes nothing and needs no lock.
 *
 * The journal is read first. A save writes the state and only then removes the journal, so a journal that is
 * missing or older than the state that is read after it has nothing to add. That an older one has been taken in
 * is checked all the same: a state from git may have a higher serial and know nothing of it.
 *
 * A journal that the state left behind when it was moved or given another name is looked for too.
 *
 * `initial` is the state that shall be put back, if so.
 */
export async function readRecorded(
  store: StateStore,
  initial?: State,
): Promise<Result<Replayed | undefined>> {
  const journal = await store.journal.read();
  if (!journal.ok) return journal;
  const state = await store.read();
  const recorded = state.ok ? replay(state.value, journal.value, store.path) : state;
  if (!recorded.ok) return restoredBy(initial, state, journal.value, store.path) ?? recorded;
  const found = await store.journal.elsewhere(recorded.value?.stored.lineage);
  if (!found.ok) return found;
  const [first, ...others] = found.value
    .filter((mislaid) => !isTakenIn(mislaid, recorded.value))
    .map((mislaid) => journalElsewhere(mislaid, recorded.value, store.path));
  return first ? failure(first, ...others) : recorded;
}

function isTakenIn({ journal: { header, events } }: MislaidJournal, recorded: Replayed | undefined): boolean {
  if (!recorded) return stateCovers(newState(header), events);
  return header.serial < recorded.stored.serial && stateCovers(recorded.state, events);
}

/** The state was moved without it: what it records would be created a second time. */
function journalElsewhere(
  { path, place, journal: { header, events } }: MislaidJournal,
  recorded: Replayed | undefined,
  subject: string,
): Diagnostic {
  const isNext = recorded ? isSameVersion(header, versionOf(recorded.stored)) : header.serial === 0;
  return error(
    'journal-elsewhere',
    {
      path,
      place,
      isNext: isNext && !recorded?.events.length,
      serial: header.serial,
      ids: leftBy(events).ids,
    },
    { subject },
  );
}

/**
 * Whether a state has every ID that the events name, as new as they have it, and every create and update that they
 * leave open. It tells a journal that a save has taken in from one that the state knows nothing of.
 */
export function stateCovers(state: State, events: readonly StateEvent[]): boolean {
  const entries = entriesOf(state);
  const held = new Map(state.entries.filter(isHolding).map((each) => [idKey(each), each.at]));
  const { ids, creates, updates } = leftBy(events);
  // It may have another address since.
  const isKnown = (update: OpenUpdate) => {
    const { address, request } = update;
    const holder = entries.holderOf(kindOf(address), idIn(request.path) ?? '');
    const record = holder && entries.updatedBy(holder, request);
    if (!record) return true;
    const { otherId } = update;
    const isKept = otherId === undefined || entries.naming(kindOf(address), otherId).size > 0;
    return isKept && coversUpdate(record, update);
  };
  return (
    ids.every((named) => (held.get(idKey(named)) ?? '') >= named.at && hasOptions(named, entries)) &&
    creates.every((create) => isPendingIn(entries, create)) &&
    updates.every(isKnown)
  );
}

interface NamedId {
  readonly address: Address;
  readonly id: string;
  /** When it was answered or imported. */
  readonly at: string;
  /** As they were imported. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Whether an import has the options that it named; of a record that was answered since, the answer knows better. */
function hasOptions({ address, options = {} }: NamedId, entries: Entries): boolean {
  const imported = entries.find('imported', address);
  const known = new Set(Object.values(imported?.options ?? {}));
  return !imported || Object.values(options).every((id) => known.has(id));
}

/** `otherId`: of a record that it may have made. */
type OpenUpdate = Omit<EventOf<'update-intent'>, 'type'> & Pick<UnconfirmedUpdate, 'otherId'>;

/** The IDs that events name, by address. A move gives those of an address another one, however many they are. */
class NamedIds {
  readonly #at = new Map<Address, Map<string, NamedId>>();
  readonly #groups = new Map<string, Map<string, NamedId>>();

  add(named: NamedId): void {
    const key = idKey(named);
    this.#groups.get(key)?.delete(key);
    const group = this.#at.get(named.address) ?? new Map<string, NamedId>();
    this.#at.set(named.address, group.set(key, named));
    this.#groups.set(key, group);
  }

  forget(address: Address): void {
    this.#at.get(address)?.clear();
  }

  move(from: Address, to: Address): void {
    const groups = [this.#at.get(from) ?? new Map(), this.#at.get(to) ?? new Map<string, NamedId>()] as const;
    const [few, most] = groups[0].size < groups[1].size ? groups : [groups[1], groups[0]];
    for (const [key, named] of few) this.#groups.set(key, most.set(key, named));
    this.#at.delete(from);
    this.#at.set(to, most);
  }

  all(): readonly NamedId[] {
    return [...this.#at].flatMap(([address, group]) =>
      [...group.values()].map((each) => ({ ...each, address })),
    );
  }
}

/** Every ID that was recorded, but for those that a person has let go since; and what is still open. */
function leftBy(events: readonly StateEvent[]) {
  const ids = new NamedIds();
  const creates = new Map<Address, OpenCreate>();
  const updates = new Map<Address, OpenUpdate>();
  for (const event of events) {
    switch (event.type) {
      case 'create-intent':
      case 'create-unknown': {
        const { type, ...known } = event;
        const before = type === 'create-unknown' ? creates.get(event.address) : undefined;
        creates.set(event.address, { ...before, ...known });
        break;
      }
      case 'create-rejected':
        if (event.earlier) creates.set(event.address, event.earlier);
        else creates.delete(event.address);
        break;
      case 'update-intent':
        updates.set(event.address, { ...updates.get(event.address), ...event });
        break;
      case 'update-unknown': {
        const { address, otherId } = event;
        const open = updates.get(address);
        if (open && otherId !== undefined) updates.set(address, { ...open, otherId });
        break;
      }
      case 'update-rejected': {
        const { address, earlier } = event;
        if (earlier) updates.set(address, { address, ...earlier });
        else updates.delete(address);
        break;
      }
      case 'answered':
        ids.add({ address: event.address, id: event.record.id, at: event.record.at });
        creates.delete(event.address);
        updates.delete(event.address);
        break;
      case 'imported':
        ids.add(event);
        break;
      case 'forgotten':
        ids.forget(event.address);
        break;
      case 'moved': {
        const { from, to } = event;
        ids.move(from, to);
        const create = creates.get(from);
        if (create && creates.delete(from)) creates.set(to, { ...create, address: to });
        const update = updates.get(from);
        if (update && updates.delete(from)) updates.set(to, { ...update, address: to });
      }
    }
  }
  return { ids: ids.all(), creates: [...creates.values()], updates: [...updates.values()] };
}
