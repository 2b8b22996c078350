import { type Address, addressOf, type Catalog, kindOf } from '../catalog/model.ts';
import { idIn, pathOf } from '../contract/api.ts';
import type { Change, Plan } from '../plan/model.ts';
import { namesFrom } from '../plan/names.ts';
import { fields } from '../resources/fields.ts';
import { declarationsOf, kindOrder, operations, updateFromCreate } from '../resources/registry.ts';
import { isHolding } from '../state/entry.ts';
import type { PendingCreate } from '../state/model.ts';
import { isDone, resolveRequests, sendCreate, sendUpdate } from './change.ts';
import { lacksOptions, otherName } from './distrust.ts';
import { type ChangeResult, type Recorder, resultOf, type WriterPorts, type Written } from './model.ts';
import { recordOf } from './record.ts';
import type { Run } from './run.ts';
import { Writer } from './writer.ts';

/**
 * Marks the state before anything is looked for: however this run ends, the next one, of whatever command, must not
 * take what is not found yet for new.
 */
export async function beginRecovery({ recover }: Plan, run: Run): Promise<void> {
  const { catalog, recorder, now, isNew } = run.ports;
  // An operator confirmed a state that was begun by an import or a probe.
  if (isNew && recorder.current().partial) await run.writer.note({ type: 'complete' });
  if (!recover || run.halted) return;
  if (recorder.current().recovering === undefined && isIncomplete(catalog, recorder))
    await run.writer.note({ type: 'recovering', at: now().toISOString() });
  if (run.isNamespaceKnown) await recordNamespace(run);
}

/** Once: what shows it may be gone, or look like something else, in a later run. */
async function recordNamespace({ ports: { recorder }, writer }: Run): Promise<void> {
  const { recovering } = recorder.current();
  if (recovering && !recovering.isNamespaceKnown) await writer.note({ type: 'namespace-known' });
}

/** Once everything declared is recorded, what the state does not contain is new. */
export async function endRecovery({ recover }: Plan, { ports, writer }: Run): Promise<void> {
  const { catalog, recorder } = ports;
  const { recovering, partial } = recorder.current();
  if (recover && recovering && !isIncomplete(catalog, recorder)) await writer.note({ type: 'recovered' });
  // What was looked for and not there is forgotten with the recovery, so that this is asked once more.
  if (partial && !isIncomplete(catalog, recorder)) await writer.note({ type: 'complete' });
}

/** What is surely not there is known, too. */
function isIncomplete(catalog: Catalog, recorder: Recorder): boolean {
  const absent = new Set(recorder.current().recovering?.absent);
  const isKnown = (address: Address) =>
    absent.has(address) || recorder.entries.at(address).some(({ status }) => status !== 'forgotten');
  return kindOrder.some((kind) =>
    [...declarationsOf(catalog, kind).keys()].some((key) => !isKnown(addressOf(kind, key))),
  );
}

/** A record of a lost state: which of the IDs it can have it has, if any, is what is to be found out. */
export function isSearch({ action, address }: Change, { ports }: Run): boolean {
  return action === 'adopt' && !ports.recorder.entries.find('imported', address);
}

/**
 * Looks for an item of a lost state by one update for each ID that it can have, up to the first that answers. Where
 * all of them are refused in one way it is not there, and the create follows, the last request where there is one.
 * A refusal that may pass (429), or that is not like the one before it, says nothing about the ID.
 */
export async function recoverRecord(change: Change, run: Run): Promise<ChangeResult> {
  const resolved = resolveRequests(change, run);
  if ('result' in resolved) return { ...resolved, ...unfound };
  const statuses = new Set<number | undefined>();
  for (const request of resolved) {
    if (request.method === 'POST' && run.mayCreate(change))
      return sendCreate({ ...change, action: 'create', remoteId: null }, request, run);
    if (request.method === 'POST') break;
    const remoteId = idIn(request.path) ?? '';
    // What was found meanwhile for another address would be overwritten by the asking.
    const claim = run.ports.recorder.entries.claim(change.address, remoteId);
    if (claim && claim.address !== change.address) continue;
    const written = await sendUpdate({ ...change, remoteId }, request, run);
    const isNews = isDone(written) && run.learnFound(change);
    if (isNews) await recordNamespace(run);
    const { error } = written;
    if (written.result === 'not-started') return { ...written, ...unfound };
    // It has made a record of another ID, which waits like a create.
    if (run.ports.recorder.entries.find('pending', change.address)) return { ...written, action: 'create' };
    if (written.result === 'unknown' && error)
      return resultOf(change, 'unknown', { ...unfound, error, reasons: [{ code: 'look-again' }] });
    if (written.result !== 'failed' || !error) return written;
    // The IDs that were not asked for yet may be the right ones.
    if (run.halted?.kind === 'interrupted') return resultOf(change, 'not-started', unfound);
    if (run.halted || error.transient || statuses.add(error.status).size > 1)
      return resultOf(change, 'failed', { ...unfound, error });
  }
  return notFound(change, run);
}

/** It waits: for what keeps it from being created, or for something to be found at all. */
async function notFound(change: Change, run: Run): Promise<ChangeResult> {
  if (!run.mayCreate(change)) {
    run.holdBack(change);
    return resultOf(change, 'not-started', { ...unfound, reasons: [{ code: 'nothing-found' }] });
  }
  await run.writer.note({ type: 'not-found', address: change.address });
  const [search, ...others] = change.reasons ?? [];
  const result =
    search?.code === 'looked-for' && search.ifAbsent !== 'create' ? search.ifAbsent : 'not-started';
  return resultOf(change, result, { ...unfound, reasons: [{ code: 'not-found' }, ...others] });
}

const unfound = { remoteId: null } as const;

/** `held`: nothing was sent. The ID was known before, so it is not what the create made, and would be overwritten. */
export type Confirmed =
  | Written
  | { readonly kind: 'held'; readonly why: 'resolving' | 'pending-too'; readonly holder: Address };

/**
 * Records `id` for a create with an unknown outcome, once the service has confirmed it by answering an update
 * that repeats what was created: there is no read, and only an answer has the IDs of options.
 */
export async function confirmPending(
  { address, request: created }: PendingCreate,
  id: string,
  ports: WriterPorts & { readonly catalog: Catalog },
): Promise<Confirmed> {
  const { catalog, environment, recorder } = ports;
  const kind = kindOf(address);
  const { entries } = recorder;
  const claim = entries.claim(address, id);
  if (claim && isHolding(claim)) return { kind: 'held', why: 'resolving', holder: claim.address };
  // Two answers may have been swapped: the one that names this ID then fits the create of the other.
  const seen = [...entries.naming(kind, id)].find(
    (entry) => entry.status === 'pending' && entry.answer?.id === id,
  );
  const answer = seen?.status === 'pending' ? seen.answer : undefined;
  const fit = answer && otherName({ address, request: created }, answer, entries);
  const other = fit?.of ?? claim?.address ?? address;
  if (other !== address) return { kind: 'held', why: 'pending-too', holder: other };
  const path = pathOf(operations[kind].update, id);
  const writer = new Writer(ports);
  return writer.update({
    address,
    request: {
      method: 'PUT',
      path,
      body: created.method === 'PUT' ? created.body : updateFromCreate(kind, created.body),
    },
    expects: id,
    // If an update of an unused ID creates it, a slip of the keyboard gives an empty classifier.
    distrust: (answer) =>
      lacksOptions(created.body, answer) ? { code: 'no-options', id: answer.id } : undefined,
    verify(answer, request, at) {
      const key = address.slice(kind.length + 1);
      const names = namesFrom({ catalog, entries: recorder.entries, attributeIds: environment.attributes });
      const previous = recorder.entries.record(address);
      const target = fields([], []);
      return recordOf({ kind, key, request, answer, target, previous, at }, catalog, names);
    },
  });
}
