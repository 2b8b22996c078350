import type { Address } from '../../src/catalog/model.ts';
import { StateDraft } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import fc from '../rig/property.ts';
import { answered, at, emptyState, intent, updating } from './events.ts';

const addresses = fc.constantFrom<Address>('item.a', 'item.b', 'item.c');
const ids = fc.constantFrom('1', '2', '3', '4', '__proto__', 'naïve \u{1f5e1}\n');
const anyEvent: fc.Arbitrary<StateEvent> = fc.oneof(
  fc.tuple(addresses, ids).map(([address, id]) => intent(address, id)),
  fc.tuple(addresses, ids).map(([address, id]) => answered(address, id)),
  addresses.map((address): StateEvent => ({ type: 'create-rejected', address })),
  fc
    .tuple(addresses, fc.string())
    .map(([address, reason]): StateEvent => ({ type: 'create-unknown', address, reason })),
  fc.tuple(addresses, ids).map(([address, id]) => updating(address, id)),
  addresses.map((address): StateEvent => ({ type: 'update-rejected', address })),
  fc.tuple(addresses, fc.string(), fc.option(ids)).map(([address, reason, otherId]): StateEvent => {
    return { type: 'update-unknown', address, reason, ...(otherId !== null && { otherId }) };
  }),
  addresses.map((address): StateEvent => ({ type: 'retired', address, at })),
  fc
    .tuple(addresses, fc.boolean())
    .map(([address, protect]): StateEvent => ({ type: 'protection', address, protect })),
  fc.tuple(addresses, ids).map(([address, id]): StateEvent => ({ type: 'imported', address, id, at })),
  addresses.map((address): StateEvent => ({ type: 'forgotten', address, at })),
  fc.tuple(addresses, addresses).map(([from, to]): StateEvent => ({ type: 'moved', from, to })),
);

/** Sequences of events that can follow one another, from an empty state. */
export function possibleEvents(
  maxLength: number,
  isWanted: (event: StateEvent) => boolean = () => true,
): fc.Arbitrary<readonly StateEvent[]> {
  return fc.array(anyEvent.filter(isWanted), { maxLength: maxLength * 2 }).map((events) => {
    const builder = new StateDraft(emptyState());
    return events.filter((event) => isPossible(builder, event)).slice(0, maxLength);
  });
}

function isPossible(builder: StateDraft, event: StateEvent): boolean {
  try {
    builder.apply(event);
    return true;
  } catch {
    return false;
  }
}
