import type { Action, Change } from '../plan/model.ts';

/** `diverged` is shown as a section of its own: nothing is sent, and it is not as declared either. */
export type ViewAction = Exclude<Action, 'unchanged' | 'create'> | 'diverged';

/** Undefined for creates, which are listed by themselves. */
export function viewAction({ action }: Change): ViewAction | undefined {
  if (action === 'create') return undefined;
  return action === 'unchanged' ? 'diverged' : action;
}
