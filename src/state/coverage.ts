import { type Address, kindOf } from '../catalog/model.ts';
import { idIn } from '../contract/api.ts';
import { type Entries, entriesOf } from './entries.ts';
import { idKey, isHolding } from './entry.ts';
import type { EventOf, StateEvent } from './event.ts';
import type { State, UnconfirmedUpdate } from './model.ts';
import { coversUpdate, isPendingIn, type OpenCreate } from './version.ts';

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
export function leftBy(events: readonly StateEvent[]) {
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
