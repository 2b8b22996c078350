import type { Change } from '../plan/model.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import { type ChangeResult, messageOf, resultOf } from './model.ts';
import { recordOf } from './record-of.ts';
import type { Run } from './run.ts';
import { targetOfRequest } from './target-of.ts';

/** Checks who answered, compares what was answered with what was sent, and makes the record durable. */
export async function acceptAnswer(
  change: Change,
  request: RecordedRequest,
  answer: AnyAnswer,
  run: Run,
): Promise<ChangeResult> {
  const distrust = reasonToDistrust(change, answer, run);
  if (distrust !== undefined) return keepApart(change, answer, run, distrust);
  const { catalog, recorder, now, origin } = run.ports;
  const { address, kind, key } = change;
  const previous = previousOf(change, run);
  const at = now().toISOString();
  const target = targetOfRequest(change, request, run);
  const { record, notTaken } = recordOf(
    { kind, key, request, answer, target, previous, at, ...(origin && { origin }) },
    catalog,
    run.names(),
  );
  try {
    await recorder.record({ type: 'answered', address, record });
  } catch (error) {
    run.halt({ kind: 'journal', message: messageOf(error) });
    return resultOf(change, 'unrecorded', { remoteId: answer.id });
  }
  if (kind === 'classifier') run.classifierRecorded();
  else if (request.method === 'POST' && 'id' in request.body)
    run.learnClientId(request.body.id === answer.id);
  const fields = notTaken.map((difference) => ({ ...difference, diverged: true }));
  return resultOf(change, fields.length === 0 ? 'applied' : 'diverged', { remoteId: answer.id, fields });
}

/** What is known of the record that was written; nothing of one that was created in place of another. */
function previousOf({ address, action }: Change, { ports: { recorder } }: Run) {
  if (action === 'replace') return undefined;
  return recorder.get(address) ?? recorder.getImported(address) ?? recorder.getRetired(address);
}

/** Undefined: it is an answer to this request, from the expected team, about a record of its own. */
function reasonToDistrust(
  { address, kind, action, remoteId }: Change,
  answer: AnyAnswer,
  run: Run,
): string | undefined {
  const { environment, recorder } = run.ports;
  const { id, teamId } = answer;
  if (teamId !== environment.teamId) {
    run.halt({ kind: 'wrong-team', expected: environment.teamId, answered: teamId });
    return `the answer names team ${teamId} (record ${id}), and this environment is team ${environment.teamId}`;
  }
  if (action === 'replace') {
    if (id === remoteId) return `the answer names record ${id}, which is the one to be replaced`;
  } else if (remoteId !== null && id !== remoteId)
    return `the answer names record ${id}, and the update was of ${remoteId}`;
  const holder = recorder.holderOf(kind, id);
  const taken = holder !== undefined && holder !== address;
  return taken ? `the answer names record ${id}, which is ${holder}` : undefined;
}

/**
 * An answer that can't be trusted is no success, but what it says must not be lost: a create waits for a person
 * with it, an update is in doubt. Nothing of it is believed.
 */
async function keepApart(change: Change, answer: AnyAnswer, run: Run, reason: string): Promise<ChangeResult> {
  const { address, remoteId, action } = change;
  try {
    await run.ports.recorder.record(
      remoteId === null || action === 'replace'
        ? { type: 'unseen', address, reason, answer }
        : { type: 'update-unseen', address, reason },
    );
  } catch (error) {
    run.halt({ kind: 'journal', message: messageOf(error) });
  }
  return resultOf(change, 'unknown', { remoteId: answer.id, reason });
}
