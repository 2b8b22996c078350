import { pathOf } from '../contract/routes.ts';
import type { Change } from '../plan/model.ts';
import { type AnyAnswer, operations } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { distrustReason } from './reason.ts';
import { recordOf } from './record-of.ts';
import type { Run } from './run.ts';
import { targetOfRequest, updateBodyOf } from './target-of.ts';
import type { Written } from './writer.ts';

/** The plan counted on ids being honoured, and an answer since then was under another one. */
const NOT_REPEATED =
  'an earlier run sent its create and saw no answer, and the service does not honour ids, so it was not sent again';

export async function sendCreate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { kind, address, action, remoteId } = change;
  const asked = kind === 'item' && typeof request.body.id === 'string' ? request.body.id : undefined;
  const repeatable = asked !== undefined && run.clientIdHonoured === true;
  if (run.ports.recorder.entries.find('pending', address) && !repeatable)
    return resultOf(change, 'unknown', { reason: NOT_REPEATED });
  const confirm = () => ({
    method: 'PUT' as const,
    path: pathOf(operations[kind].update, asked),
    body: updateBodyOf(change, run),
  });
  const written = await run.writer.create({
    ...writeOf(change, request, run),
    repeatable,
    confirm,
    ...(repeatable && { expects: asked }),
    ...(action === 'replace' && { replaces: remoteId }),
  });
  if (written.kind === 'answered' && asked !== undefined && written.record.sent.method === 'POST')
    run.learnClientId(asked === written.record.id);
  const result = resultFor(change, written, run);
  return written.kind === 'unseen' && repeatable && !written.isLasting
    ? { ...result, settles: true }
    : result;
}

/** `change.remoteId` is the id of the record. */
export async function sendUpdate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { remoteId } = change;
  if (remoteId === null) throw new Error(`${change.address} has no id to be updated under.`);
  const written = await run.writer.update({ ...writeOf(change, request, run), expects: remoteId });
  return resultFor(change, written, run);
}

function writeOf(change: Change, request: RecordedRequest, run: Run) {
  const { address } = change;
  const verify = (answer: AnyAnswer, answered: RecordedRequest, at: string) => {
    const { kind, key } = change;
    const { catalog, origin } = run.ports;
    const target = targetOfRequest(change, answered, run);
    const previous = previousOf(change, run);
    return recordOf(
      { kind, key, request: answered, answer, target, previous, at, ...(origin && { origin }) },
      catalog,
      run.names(),
    );
  };
  return { address, request, verify };
}

/** What is known of the record that was written; nothing of one that was created in place of another. */
function previousOf({ address, action }: Change, { ports: { recorder } }: Run) {
  if (action === 'replace') return undefined;
  return (
    recorder.entries.find('live', address) ??
    recorder.entries.find('imported', address) ??
    recorder.entries.find('retired', address)
  );
}

/** The result of a change that was answered and recorded. */
export function doneAs({ fields = [] }: Pick<ChangeResult, 'fields'>): 'applied' | 'diverged' {
  return fields.length === 0 ? 'applied' : 'diverged';
}

function resultFor(change: Change, written: Written, run: Run): ChangeResult {
  switch (written.kind) {
    case 'answered':
    case 'unrecorded': {
      const fields = written.notTaken.map((difference) => ({ ...difference, diverged: true }));
      const answered = { remoteId: written.record.id, fields };
      if (written.kind === 'unrecorded') return resultOf(change, 'unrecorded', answered);
      if (change.kind === 'classifier') run.classifierRecorded();
      return resultOf(change, doneAs(answered), answered);
    }
    case 'refused':
      return resultOf(change, 'failed', { error: written.error });
    case 'unseen':
      return resultOf(change, 'unknown', { error: written.error });
    case 'distrusted': {
      const { answer, distrust } = written;
      return resultOf(change, 'unknown', {
        remoteId: answer.id,
        reason: distrustReason(answer, distrust),
      });
    }
    case 'stopped':
      return resultOf(change, 'not-started');
  }
}
