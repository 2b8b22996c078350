import type { Change } from '../plan/model.ts';
import type { RecordedRequest } from '../state/model.ts';
import { acceptAnswer } from './accept-answer.ts';
import { concluded, recordIntent } from './conclude.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { reasonOf } from './reason.ts';
import type { Run } from './run.ts';
import { settleCreate } from './settle-create.ts';

/** The plan counted on ids being honoured, and an answer since then was under another one. */
const NOT_REPEATED =
  'an earlier run sent its create and saw no answer, and the service does not honour ids, so it was not sent again';

/** Sends a create whose intent is durable first. What nobody saw is pending, unless the same id settles it. */
export async function sendCreate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
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
