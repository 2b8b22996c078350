import type { Change } from '../plan/model.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { recordOf } from './record-of.ts';
import type { Run } from './run.ts';
import { targetOf } from './target-of.ts';

/** Checks who answered, compares what was answered with what was sent, and makes the record durable. */
export async function acceptAnswer(
  change: Change,
  request: RecordedRequest,
  answer: AnyAnswer,
  run: Run,
): Promise<ChangeResult> {
  const distrust = reasonToDistrust(change, answer, run);
  if (distrust !== undefined) return keepApart(change, request, answer, run, distrust);
  const { catalog, recorder, now } = run.ports;
  const { address, kind, key } = change;
  const previous = recorder.get(address) ?? recorder.getRetired(address);
  const at = now().toISOString();
  const target = targetOf(change, run);
  const { record, notTaken } = recordOf(
    { kind, key, request, answer, target, previous, at },
    catalog,
    run.names(),
  );
  try {
    await recorder.record({ type: 'answered', address, record });
  } catch (error) {
    run.halt({ kind: 'journal', message: (error as Error).message });
    return resultOf(change, 'unrecorded', { remoteId: answer.id });
  }
  if (kind === 'classifier') run.classifierRecorded();
  else if (request.method === 'POST' && 'id' in request.body)
    run.learnClientId(request.body.id === answer.id);
  const fields = notTaken.map((difference) => ({ ...difference, diverged: true }));
  return resultOf(change, fields.length === 0 ? 'applied' : 'diverged', { remoteId: answer.id, fields });
}

function reasonToDistrust(change: Change, answer: AnyAnswer, run: Run): string | undefined {
  const { teamId } = run.ports.environment;
  if (answer.teamId !== teamId) {
    run.halt({ kind: 'wrong-team', expected: teamId, answered: answer.teamId });
    return `the answer names team ${answer.teamId} (record ${answer.id}), and this environment is team ${teamId}`;
  }
  if (change.remoteId === null || answer.id === change.remoteId) return undefined;
  return `the answer names record ${answer.id}, and the update was of ${change.remoteId}`;
}

/** An answer that can't be trusted is no success, but its id must not be lost: it waits for a person. */
async function keepApart(
  change: Change,
  request: RecordedRequest,
  answer: AnyAnswer,
  run: Run,
  reason: string,
): Promise<ChangeResult> {
  const { recorder, now } = run.ports;
  const { address } = change;
  if (request.method === 'PUT')
    await recorder.record({ type: 'intent', address, at: now().toISOString(), request });
  await recorder.record({ type: 'unseen', address, reason, answer });
  return resultOf(change, 'unknown', { remoteId: answer.id, reason });
}
