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
    namedIds(events).every(({ address, id }) => ids.has(keyOf(address, id))) &&
    openCreates(events).every((address) => pending.has(address))
  );
}

/** Every id that was recorded, but for those that a person has let go since. */
export function namedIds(
  events: readonly StateEvent[],
): readonly { readonly address: Address; readonly id: string }[] {
  const named = new Map<string, { readonly address: Address; readonly id: string }>();
  const note = (address: Address, id: string) => named.set(keyOf(address, id), { address, id });
  const of = (address: Address) => [...named].filter(([, held]) => held.address === address);
  for (const event of events) {
    if (event.type === 'answered') note(event.address, event.record.id);
    if (event.type === 'imported') note(event.address, event.id);
    if (event.type === 'moved')
      for (const [key, { id }] of of(event.from)) named.set(key, { address: event.to, id });
    if (event.type === 'forgotten') for (const [key] of of(event.address)) named.delete(key);
  }
  return [...named.values()];
}

/** An item and a classifier may have one id. */
function keyOf(address: Address, id: string): string {
  return `${kindOf(address)} ${id}`;
}

function openCreates(events: readonly StateEvent[]): readonly Address[] {
  const open = new Set<Address>();
  for (const event of events) {
    if (event.type === 'intent' || event.type === 'unseen') open.add(event.address);
    if (event.type === 'answered' || (event.type === 'not-taken' && !event.earlier))
      open.delete(event.address);
    if (event.type === 'moved' && open.delete(event.from)) open.add(event.to);
  }
  return [...open];
}
