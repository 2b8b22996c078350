import type { Address } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import type { Change } from '../plan/model.ts';
import { resolveReferences } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { type AnyAnswer, operations } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import { distrustReason } from './distrust.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { recordOf, targetOfRequest, updateBodyOf } from './record.ts';
import { recordNamespace } from './recovery.ts';
import type { Run } from './run.ts';
import type { Written } from './writer.ts';

/** Sends one change, with every id that was promised to it, and records what became of it. */
export async function sendChange(change: Change, run: Run): Promise<ChangeResult> {
  const isSearch = change.action === 'adopt' && !run.ports.recorder.entries.find('imported', change.address);
  const requests: RecordedRequest[] = [];
  for (const planned of change.requests) {
    const resolved = resolveRequest(planned, run);
    const { remoteId } = isSearch ? { remoteId: null } : change;
    if (!resolved.ok) return resultOf(change, resolved.result, { remoteId, reason: resolved.reason });
    requests.push(resolved.request);
  }
  const [first] = requests;
  if (first === undefined) throw new Error(`${change.address} has nothing to send.`);
  if (isSearch) return recoverRecord(change, requests, run);
  return first.method === 'POST' ? sendCreate(change, first, run) : sendUpdate(change, first, run);
}

/** The plan counted on ids being honoured, and an answer since then was under another one. */
const NOT_REPEATED =
  'an earlier run sent its create and saw no answer, and the service does not honour ids, so it was not sent again';

async function sendCreate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
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
async function sendUpdate(change: Change, request: RecordedRequest, run: Run): Promise<ChangeResult> {
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

/**
 * Looks for an item of a lost state by one update for each id that it can have, up to the first that answers. Where
 * all of them are refused in one way it is not there, and the create follows, the last request where there is one.
 * A refusal that may pass (429), or that is not like the one before it, says nothing about the id.
 */
async function recoverRecord(
  change: Change,
  requests: readonly RecordedRequest[],
  run: Run,
): Promise<ChangeResult> {
  const statuses = new Set<number | undefined>();
  for (const request of requests) {
    if (request.method === 'POST' && run.finds.any(hasDeclaredId(change, run)))
      return sendCreate({ ...change, action: 'create', remoteId: null }, request, run);
    if (request.method === 'POST') break;
    const remoteId = decodeURIComponent(request.path.slice('/items/'.length));
    // What was found meanwhile for another address would be overwritten by the asking.
    const holder = run.ports.recorder.entries.holderOf(change.kind, remoteId);
    if (holder !== undefined && holder !== change.address) continue;
    const written = await sendUpdate({ ...change, remoteId }, request, run);
    if (written.result === 'applied' || written.result === 'diverged') await found(change, run);
    const { error } = written;
    if (written.result === 'not-started') return { ...written, ...unfound };
    if (written.result === 'unknown' && error)
      return resultOf(change, 'unknown', { ...unfound, error, reason: LOOK_AGAIN });
    if (written.result !== 'failed' || !error) return written;
    // The ids that were not asked for yet may be the right ones.
    if (run.halted?.kind === 'interrupted') return resultOf(change, 'not-started', unfound);
    if (run.halted || error.transient || statuses.add(error.status).size > 1)
      return resultOf(change, 'failed', { ...unfound, error });
  }
  return notFound(change, run);
}

async function found(change: Change, run: Run): Promise<void> {
  const isDeclared = hasDeclaredId(change, run);
  // Once: to look into the state copies it whole.
  const isFirst = !isDeclared && !run.finds.isNamespaceKnown();
  run.finds.found(isDeclared);
  if (isFirst) await recordNamespace(run);
}

function hasDeclaredId({ key }: Change, { ports: { catalog } }: Run): boolean {
  return catalog.items.get(key)?.declaration.id !== undefined;
}

/** It waits: for what keeps it from being created, or for something to be found at all. */
async function notFound(change: Change, run: Run): Promise<ChangeResult> {
  const isDeclared = hasDeclaredId(change, run);
  if (!run.finds.any(isDeclared)) {
    run.finds.holdBack(change, isDeclared);
    return resultOf(change, 'not-started', { ...unfound, reason: NOTHING_FOUND });
  }
  await run.writer.note({ type: 'not-found', address: change.address });
  return resultOf(change, 'not-started', {
    ...unfound,
    ...(change.reasons && { reasons: change.reasons }),
  });
}

/** Which of the ids it has, if any, is what was to be found out. */
const unfound = { remoteId: null } as const;
const NOTHING_FOUND =
  'no item was found under an id derived from the idNamespace of the environment, so it may be another one, and nothing is created; what surely is new: --confirm-new ADDRESS';
const LOOK_AGAIN = 'nobody knows whether it is there; the next apply looks for it again';

type Resolved =
  | { readonly ok: true; readonly request: RecordedRequest }
  /** Why it can't be sent; it waits for what a person has to settle first. */
  | { readonly ok: false; readonly result: 'waiting' | 'not-started'; readonly reason: string };

/** The request with every id that was promised, or which of them never came. */
function resolveRequest(planned: RecordedRequest, run: Run): Resolved {
  let missing: string | undefined;
  const body = resolveReferences(planned.body, (address) => {
    const id = idOf(address, run);
    if (id === undefined) missing ??= address;
    return id ?? '';
  });
  if (missing !== undefined) return unavailable(missing, run);
  return { ok: true, request: { ...planned, body: body as RecordedRequest['body'] } };
}

function unavailable(address: string, run: Run): Exclude<Resolved, { ok: true }> {
  const owner = ownerOf(address);
  if (!run.ports.recorder.entries.find('pending', owner))
    return { ok: false, result: 'not-started', reason: whyMissing(address, owner, run) };
  return { ok: false, result: 'waiting', reason: `waits for ${owner} (unknown)` };
}

function whyMissing(address: string, owner: Address, run: Run): string {
  const { recorder } = run.ports;
  if (run.awaitsReplacement(owner)) return `${owner} was not replaced`;
  return recorder.entries.find('live', owner)
    ? `${address} has no id in the answer`
    : `${owner} was not created`;
}

/** `classifier.rarity` gives its record's id, `classifier.rarity.rare` the id of that option. */
function idOf(address: string, run: Run): string | undefined {
  const option = address.split('.')[2];
  const owner = ownerOf(address);
  const record = run.awaitsReplacement(owner) ? undefined : run.ports.recorder.entries.find('live', owner);
  return option === undefined ? record?.id : recordedOptionId(record, option);
}

function ownerOf(address: string): Address {
  return address.split('.').slice(0, 2).join('.') as Address;
}
