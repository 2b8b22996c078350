import type { StateEvent } from './event.ts';
import type { State } from './model.ts';
import { StateBuilder } from './state-builder.ts';

/** The state after one event. Throws where the event can't follow what is recorded: that is our bug. */
export function reduce(state: State, event: StateEvent): State {
  return fold(state, [event]);
}

/** The state after all `events`, in their order. Linear in their number and in the size of the state. */
export function fold(state: State, events: Iterable<StateEvent>): State {
  const builder = new StateBuilder(state);
  for (const event of events) builder.apply(event);
  return builder.snapshot();
}
