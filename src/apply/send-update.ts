import type { Change } from '../plan/model.ts';
import type { RecordedRequest } from '../state/model.ts';
import { acceptAnswer } from './accept-answer.ts';
import { concluded, recordIntent } from './conclude.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { reasonOf } from './reason.ts';
import type { Run } from './run.ts';

/** An update may be repeated, but not forgotten: where its outcome is not seen, the record is in doubt. */
export async function sendUpdate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
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
