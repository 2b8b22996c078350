import { type Address, kindOf } from '../catalog/model.ts';
import type { StateEvent } from './event.ts';
import type { ResourceRecord, State } from './model.ts';

/**
 * Whether a state has every id that the events name and every create that they leave open. It tells a journal
 * that a save has taken in from one that the state knows nothing of.
 */
export function holdsAll(state: State, events: readonly StateEvent[]): boolean {
  const live = Object.entries(state.resources) as [Address, ResourceRecord][];
  const held = [...live.map(([address, { id }]) => ({ address, id })), ...state.retired, ...state.imported];
  const ids = new Set(held.map(({ address, id }) => keyOf(address, id)));
  const pending = new Set(state.pending.map(({ address }) => address));
  return (
    namedIds(events).every((id) => ids.has(id)) &&
    openCreates(events).every((address) => pending.has(address))
  );
}

/** Every id that was recorded, but for those that a person has let go since. */
function namedIds(events: readonly StateEvent[]): readonly string[] {
  const named = new Map<string, Address>();
  for (const event of events) {
    if (event.type === 'answered') named.set(keyOf(event.address, event.record.id), event.address);
    if (event.type === 'imported') named.set(keyOf(event.address, event.id), event.address);
    if (event.type === 'moved') for (const id of idsOf(named, event.from)) named.set(id, event.to);
    if (event.type === 'forgotten') for (const id of idsOf(named, event.address)) named.delete(id);
  }
  return [...named.keys()];
}

/** An item and a classifier may have one id. */
function keyOf(address: Address, id: string): string {
  return `${kindOf(address)} ${id}`;
}

function idsOf(named: ReadonlyMap<string, Address>, address: Address): readonly string[] {
  return [...named].flatMap(([id, holder]) => (holder === address ? [id] : []));
}

function openCreates(events: readonly StateEvent[]): readonly Address[] {
  const open = new Set<Address>();
  for (const event of events) {
    if (event.type === 'intent' || event.type === 'unseen') open.add(event.address);
    if (event.type === 'answered' || event.type === 'not-taken') open.delete(event.address);
    if (event.type === 'moved' && open.delete(event.from)) open.add(event.to);
  }
  return [...open];
}
