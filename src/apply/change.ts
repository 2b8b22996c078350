import type { ServiceError } from '../api/outcome.ts';
import type { Address } from '../catalog/model.ts';
import { pathOf } from '../contract/api.ts';
import type { Change } from '../plan/model.ts';
import { recordedOptionId } from '../resources/classifier.ts';
import { resolveReferences } from '../resources/fields.ts';
import { type AnyAnswer, operations } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import { type ChangeResult, type ResultReason, resultOf, type Written } from './model.ts';
import { recordOf, targetOfRequest, updateBodyOf } from './record.ts';
import type { Run } from './run.ts';

/** Sends one change, with every ID that was promised to it, and records what became of it. */
export async function sendChange(change: Change, run: Run): Promise<ChangeResult> {
  const resolved = resolveRequests(change, run);
  if ('result' in resolved) return resolved;
  const [first] = resolved;
  if (first === undefined) throw new Error(`${change.address} has nothing to send.`);
  return first.method === 'POST' ? sendCreate(change, first, run) : sendUpdate(change, first, run);
}

export async function sendCreate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { kind, address, action, remoteId } = change;
  const asked = kind === 'item' && typeof request.body.id === 'string' ? request.body.id : undefined;
  const repeatable = asked !== undefined && run.clientIdHonoured === true;
  if (run.ports.recorder.entries.find('pending', address) && !repeatable)
    return resultOf(change, 'unknown', { reasons: [{ code: 'not-repeated' }] });
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
  const settles = written.kind === 'unseen' && repeatable && !written.isLasting;
  // The ID that exists: it may be derived, and is then written nowhere else.
  const exists = written.kind === 'refused' && asked !== undefined && isConflictAbout(asked, written.error);
  return {
    ...resultFor(change, written, run),
    ...(exists && { remoteId: asked }),
    ...(settles && { settles }),
  };
}

/** Not if it names another ID: something else of the record may be in use, such as its name. */
function isConflictAbout(asked: string, { status, answeredIds = [], otherId }: ServiceError): boolean {
  return status === 409 && otherId === undefined && answeredIds.every((id) => id === asked);
}

/** `change.remoteId` is the ID of the record. */
export async function sendUpdate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
  const { remoteId } = change;
  if (remoteId === null) throw new Error(`${change.address} has no id to be updated under.`);
  const written = await run.writer.update({ ...writeOf(change, request, run), expects: remoteId });
  return resultFor(change, written, run);
}

function writeOf(change: Change, request: RecordedRequest, run: Run) {
  const { address, kind, key } = change;
  const { catalog, origin } = run.ports;
  const verify = (answer: AnyAnswer, answered: RecordedRequest, at: string) => {
    const target = targetOfRequest(change, answered, run);
    const previous = run.ports.recorder.entries.record(address);
    const about = { kind, key, request: answered, answer, target, previous, at, ...(origin && { origin }) };
    return recordOf(about, catalog, run.names());
  };
  return { address, request, verify };
}

/** The result of a change that was answered and recorded. */
export function doneAs({ fields = [] }: Pick<ChangeResult, 'fields'>): 'applied' | 'diverged' {
  return fields.length === 0 ? 'applied' : 'diverged';
}

export function isDone({ result }: ChangeResult): boolean {
  return result === 'applied' || result === 'diverged';
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
    case 'distrusted':
      return resultOf(change, 'unknown', { remoteId: written.answer.id, reasons: [written.distrust] });
    case 'stopped':
      return resultOf(change, 'not-started');
  }
}

/** The requests with every ID that was promised; where one never came, the result of what waits for it. */
export function resolveRequests(change: Change, run: Run): readonly RecordedRequest[] | ChangeResult {
  const missing: string[] = [];
  const idOrMissing = (address: string) => {
    const id = idOf(address, run);
    if (id === undefined) missing.push(address);
    return id ?? '';
  };
  const requests = change.requests.map(({ body, ...request }) => {
    const resolved = resolveReferences(body, idOrMissing) as RecordedRequest['body'];
    return { ...request, body: resolved };
  });
  const [first] = missing;
  return first === undefined ? requests : withoutId(change, first, run);
}

function withoutId(change: Change, address: string, run: Run): ChangeResult {
  const { entries } = run.ports.recorder;
  const owner = ownerOf(address);
  if (entries.find('pending', owner))
    return resultOf(change, 'waiting', { reasons: [{ code: 'waits-for', address: owner }] });
  if (run.awaitsReplacement(owner))
    return resultOf(change, 'not-started', { reasons: [{ code: 'not-replaced', address: owner }] });
  const reason: ResultReason = entries.find('live', owner)
    ? { code: 'no-id-answered', address }
    : { code: 'not-created', address: owner };
  return resultOf(change, 'not-started', { reasons: [reason] });
}

/** `classifier.rarity` gives its record's ID, `classifier.rarity.rare` the ID of that option. */
function idOf(address: string, run: Run): string | undefined {
  const option = address.split('.')[2];
  const owner = ownerOf(address);
  const record = run.awaitsReplacement(owner) ? undefined : run.ports.recorder.entries.find('live', owner);
  return option === undefined ? record?.id : recordedOptionId(record, option);
}

function ownerOf(address: string): Address {
  return address.split('.').slice(0, 2).join('.') as Address;
}
