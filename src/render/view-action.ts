import type { Action, Change } from '../plan/model.ts';

/**
 * `diverged` is shown as a section of its own: nothing is sent, and it is not as declared either. `create` has those
 * creates of which there is more to say than that they are new.
 */
export type ViewAction = Exclude<Action, 'unchanged'> | 'diverged';

/** Undefined for simple creates, which are listed by themselves. */
export function viewAction({ action, reason }: Change): ViewAction | undefined {
  if (action === 'create' && reason === undefined) return undefined;
  return action === 'unchanged' ? 'diverged' : action;
}
