import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { State, Target } from './model.ts';

/**
 * The complaint about a state that belongs to another service or team than `target`, or undefined where it
 * belongs: its ids mean nothing elsewhere, and writing with them would hit foreign records.
 */
export function assertTarget(state: Pick<State, 'target'>, target: Target): Diagnostic | undefined {
  if (state.target.baseUrl === target.baseUrl && state.target.teamId === target.teamId) return undefined;
  return error(
    'state-of-another-target',
    `The state was recorded for ${describe(state.target)}, but the environment names ${describe(target)}.`,
    {
      hint:
        'Give this environment a state path of its own, or put its baseUrl and teamId back. ' +
        'Nothing was read from the service and nothing was sent.',
    },
  );
}

function describe({ baseUrl, teamId }: Target): string {
  return `team ${JSON.stringify(teamId)} at ${baseUrl}`;
}
