import type { Change } from '../plan/model.ts';
import type { RecordedRequest } from '../state/model.ts';
import { acceptAnswer } from './accept-answer.ts';
import { haltOnSystemicError } from './halt.ts';
import { type ChangeResult, resultOf } from './model.ts';
import type { Run } from './run.ts';
import { sendCreate } from './send-create.ts';

/**
 * Looks for an item of a lost state by one update for each id that it can have, up to the first that answers. Where
 * all of them are refused it surely is not there, and the create follows, the last request where there is one.
 */
export async function recoverRecord(
  change: Change,
  requests: readonly RecordedRequest[],
  run: Run,
): Promise<ChangeResult> {
  for (const request of requests) {
    if (request.method === 'POST') return sendCreate({ ...change, remoteId: null }, request, run);
    const outcome = await run.ports.service.write(request, change.kind, { repeatable: true });
    if (outcome.kind === 'answered') {
      const remoteId = decodeURIComponent(request.path.slice('/items/'.length));
      return acceptAnswer({ ...change, remoteId }, request, outcome.body, run);
    }
    const { error } = outcome;
    haltOnSystemicError(error, run);
    if (outcome.kind === 'unseen') return resultOf(change, 'unknown', { error, reason: LOOK_AGAIN });
    if (run.halted) return resultOf(change, 'failed', { error });
  }
  return resultOf(change, 'not-started', change.reason === undefined ? {} : { reason: change.reason });
}

const LOOK_AGAIN =
  'nobody knows whether it is there; run the same command, with --recover, to look for it again';
