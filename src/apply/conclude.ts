import type { ServiceError } from '../api/error.ts';
import type { Change } from '../plan/model.ts';
import type { StateEvent } from '../state/event.ts';
import { haltOnSystemicError } from './halt.ts';
import { type ChangeResult, messageOf, resultOf } from './model.ts';
import type { Run } from './run.ts';
import type { Sent } from './sent.ts';

/** False: it can't be made durable, so nothing may be sent. */
export async function recordIntent(intent: StateEvent, run: Run): Promise<boolean> {
  try {
    await run.ports.recorder.record(intent);
    return true;
  } catch (error) {
    run.halt({ kind: 'journal', message: messageOf(error) });
    return false;
  }
}

/** What a write without an answer leaves, and whether the run can go on after it. */
export function concluded(change: Change, { outcome }: Sent, error: ServiceError, run: Run): ChangeResult {
  haltOnSystemicError(error, run);
  return resultOf(change, outcome.kind === 'unseen' ? 'unknown' : 'failed', { error });
}
