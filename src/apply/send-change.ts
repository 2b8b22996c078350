import type { ServiceError } from '../api/error.ts';
import type { Change } from '../plan/model.ts';
import type { RecordedRequest } from '../state/model.ts';
import { acceptAnswer } from './accept-answer.ts';
import { haltOnSystemicError } from './halt.ts';
import { type ChangeResult, messageOf, resultOf } from './model.ts';
import { reasonOf } from './reason.ts';
import { resolveRequest } from './resolve-request.ts';
import type { Run } from './run.ts';
import type { Sent } from './sent.ts';
import { settleCreate } from './settle-create.ts';

/** The plan counted on ids being honoured, and an answer since then was under another one. */
const NOT_REPEATED =
  'an earlier run sent its create and saw no answer, and the service does not honour ids, so it was not sent again';

/**
 * Sends one change and records what became of it. Rejects only where an outcome can't be written down.
 *
 * ```text
 * resolve ids -> intent durable -> send -> answered -> verify -> record durable
 *                                       -> refused  -> not taken
 *                                       -> unseen   -> a create is settled by the same id, else unknown
 * ```
 */
export async function sendChange(change: Change, planned: RecordedRequest, run: Run): Promise<ChangeResult> {
  const resolved = resolveRequest(planned, run);
  if (!resolved.ok) return resultOf(change, 'not-started', { reason: resolved.reason });
  const { request } = resolved;
  return request.method === 'POST' ? sendCreate(change, request, run) : sendUpdate(change, request, run);
}

async function sendCreate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { recorder, service, now } = run.ports;
  const { address, kind } = change;
  // A run before this one sent it and saw no answer: now a refusal may just mean that the record is there.
  const wasPending = recorder.isPending(address);
  const repeatable = kind === 'item' && 'id' in request.body && run.clientIdHonoured === true;
  if (wasPending && !repeatable) return resultOf(change, 'unknown', { reason: NOT_REPEATED });
  const intent = { type: 'intent', address, at: now().toISOString(), request } as const;
  if (!(await recordIntent(intent, run))) return resultOf(change, 'not-started');
  const first = { request, outcome: await service.write(request, kind, { repeatable }) };
  const open = first.outcome.kind === 'unseen' || (first.outcome.kind === 'refused' && wasPending);
  const sent = repeatable && open ? await settleCreate(change, first, run) : first;
  if (sent.outcome.kind === 'answered') return acceptAnswer(change, sent.request, sent.outcome.body, run);
  const { error } = sent.outcome;
  await recorder.record(
    open ? { type: 'unseen', address, reason: reasonOf(error) } : { type: 'not-taken', address },
  );
  return { ...concluded(change, sent, error, run), ...(repeatable && open && { settles: true }) };
}

/** An update may be repeated, but not forgotten: where its outcome is not seen, the record is in doubt. */
async function sendUpdate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { recorder, service, now } = run.ports;
  const { address, kind } = change;
  const intent = { type: 'updating', address, at: now().toISOString(), request } as const;
  if (!(await recordIntent(intent, run))) return resultOf(change, 'not-started');
  const sent = { request, outcome: await service.write(request, kind, { repeatable: true }) };
  if (sent.outcome.kind === 'answered') return acceptAnswer(change, request, sent.outcome.body, run);
  const { error } = sent.outcome;
  const unseen = sent.outcome.kind === 'unseen';
  await recorder.record(
    unseen ? { type: 'update-unseen', address, reason: reasonOf(error) } : { type: 'not-updated', address },
  );
  return concluded(change, sent, error, run);
}

/** False: it can't be made durable, so nothing may be sent. */
async function recordIntent(
  intent: Parameters<Run['ports']['recorder']['record']>[0],
  run: Run,
): Promise<boolean> {
  try {
    await run.ports.recorder.record(intent);
    return true;
  } catch (error) {
    run.halt({ kind: 'journal', message: messageOf(error) });
    return false;
  }
}

function concluded(change: Change, { outcome }: Sent, error: ServiceError, run: Run): ChangeResult {
  haltOnSystemicError(error, run);
  return resultOf(change, outcome.kind === 'unseen' ? 'unknown' : 'failed', { error });
}
