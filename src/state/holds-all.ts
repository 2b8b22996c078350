import type { Address } from '../catalog/model.ts';
import type { StateEvent } from './event.ts';
import type { State } from './model.ts';

/**
 * Whether a state has every id that the events name and every create that they leave open. It tells a journal
 * that a save has taken in from one that the state knows nothing of.
 */
export function holdsAll(state: State, events: readonly StateEvent[]): boolean {
  const ids = new Set([...Object.values(state.resources), ...state.retired].map(({ id }) => id));
  const pending = new Set(state.pending.map(({ address }) => address));
  const named = events.flatMap((event) => (event.type === 'answered' ? [event.record.id] : []));
  return named.every((id) => ids.has(id)) && openCreates(events).every((address) => pending.has(address));
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
