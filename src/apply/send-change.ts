import type { Change } from '../plan/model.ts';
import type { StateEvent } from '../state/event.ts';
import type { RecordedRequest } from '../state/model.ts';
import { acceptAnswer } from './accept-answer.ts';
import { haltOnSystemicError } from './halt.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { resolveRequest } from './resolve-request.ts';
import type { Run } from './run.ts';
import type { Sent } from './sent.ts';
import { settleCreate } from './settle-create.ts';

/**
 * Sends one change and records what became of it. Rejects only where the journal can't be written.
 *
 * ```text
 * resolve ids -> intent durable (creates) -> send -> answered -> verify -> record durable
 *                                                 -> refused  -> not taken
 *                                                 -> unseen   -> settled by the same id, else unknown
 * ```
 */
export async function sendChange(change: Change, planned: RecordedRequest, run: Run): Promise<ChangeResult> {
  const request = resolveRequest(planned, run);
  if (!request)
    return resultOf(change, 'not-started', { reason: 'something that it refers to was not created' });
  return request.method === 'POST' ? sendCreate(change, request, run) : sendUpdate(change, request, run);
}

async function sendCreate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { recorder, service, now } = run.ports;
  const { address, kind } = change;
  // A run before this one sent it and saw no answer: now a refusal may just mean that the record is there.
  const wasPending = recorder.isPending(address);
  await recorder.record({ type: 'intent', address, at: now().toISOString(), request });
  const repeatable = kind === 'item' && 'id' in request.body && run.clientIdHonoured === true;
  const sent = { request, outcome: await service.write(request, kind, { repeatable }) };
  const open = sent.outcome.kind === 'unseen' || (sent.outcome.kind === 'refused' && wasPending);
  const settled = repeatable && open ? await settleCreate(change, sent, run) : sent;
  return conclude(change, settled, run, (reason) =>
    open ? { type: 'unseen', address, reason } : { type: 'not-taken', address },
  );
}

async function sendUpdate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const outcome = await run.ports.service.write(request, change.kind, { repeatable: true });
  return conclude(change, { request, outcome }, run, () => undefined);
}

/** `eventOf` gives what is to be recorded of a request that was not answered, for the reason it is given. */
async function conclude(
  change: Change,
  { request, outcome }: Sent,
  run: Run,
  eventOf: (reason: string) => StateEvent | undefined,
): Promise<ChangeResult> {
  if (outcome.kind === 'answered') return acceptAnswer(change, request, outcome.body, run);
  const { error, kind } = outcome;
  const event = eventOf(error.status === undefined ? error.reason : `status ${error.status}`);
  if (event) await run.ports.recorder.record(event);
  haltOnSystemicError(error, run);
  return resultOf(change, kind === 'unseen' ? 'unknown' : 'failed', { error });
}
