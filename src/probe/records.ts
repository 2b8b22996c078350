import { type Address, addressOf, isReservedKey, keyOf, PROBE_KEY } from '../catalog/model.ts';
import type { CreateItemBody, UpdateItemBody, WireClassifier, WireItem, WireRange } from '../contract/api.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import { uuid5 } from '../environment/defaults.ts';
import type { Entries } from '../state/entries.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { LeftRecord } from './model.ts';
import type { ProbeRun, Reply } from './run.ts';

/** Everything is tried on these two records; people who meet them in the service's tools can tell what they are. */
export const probeClassifier: Address = addressOf('classifier', PROBE_KEY);
export const probeItem: Address = addressOf('item', `${PROBE_KEY}-a`);
/** Where a record is kept that an update of an unknown ID has made. */
export const strayItem: Address = addressOf('item', `${PROBE_KEY}-none`);

export const NAME = 'Trove probe';
export const classifierName = `${NAME} (safe to ignore)`;
const itemName = `${NAME} A (safe to ignore)`;

/** At most two: one to repeat and one to leave out. */
export function probeAttributes({ ports }: ProbeRun): readonly string[] {
  return [...new Set(ports.environment.attributes.values())].slice(0, 2);
}

export function rangesOf(attributeIds: readonly string[]): readonly WireRange[] {
  return attributeIds.map((attributeId) => ({ attributeId, min: 1, max: 2 }));
}

/** The ID that the create of the probe item asks for, derived as `apply` derives those of a catalog. */
export function askedId({ ports }: ProbeRun): string {
  return uuid5(ports.environment.idNamespace, `${PROBE_KEY}-a`);
}

export function isReserved(address: string): boolean {
  return isReservedKey(keyOf(address));
}

/** What is recorded at an address, live or retired by an earlier probe. */
export function recordAt({ ports: { recorder } }: ProbeRun, address: Address): ResourceRecord | undefined {
  return recorder.entries.find('live', address) ?? recorder.entries.find('retired', address);
}

/**
 * An update of the probe item: everything documented as required, and what an experiment adds. Where the item is
 * not recorded, it is the one that a create of the asked ID may have made.
 */
export function updateItem(run: ProbeRun, extra: Partial<UpdateItemBody> = {}): Promise<Reply<WireItem>> {
  const id = recordAt(run, probeItem)?.id ?? askedId(run);
  return run.update(probeItem, id, updateBody(run, { name: itemName, ...extra }));
}

export function updateBody(run: ProbeRun, fields: Partial<UpdateItemBody> & { readonly name: string }) {
  return { rollNumerator: 1, attributes: rangesOf(probeAttributes(run)), ...fields } satisfies UpdateItemBody;
}

/** The probe item as it is now; where an update was not seen, it is updated once more to learn it. */
export async function currentItem(run: ProbeRun): Promise<WireItem | undefined> {
  const record = run.ports.recorder.entries.find('live', probeItem);
  const settled = record && !record.unconfirmed && !run.ports.recorder.entries.find('pending', probeItem);
  if (settled) return record.answer as WireItem;
  const reply = await updateItem(run);
  return reply.kind === 'answered' ? reply.answer : undefined;
}

export function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

/** The probe classifier as it was answered last; only for what comes after `prepare`. */
export function currentClassifier(run: ProbeRun): WireClassifier {
  const record = recordAt(run, probeClassifier);
  if (!record) throw new Error('There is no probe classifier yet.');
  return record.answer as WireClassifier;
}

/** The options that are there to be assigned; the others are there to be changed. */
export function assignableOptions(run: ProbeRun): readonly string[] {
  return currentClassifier(run)
    .classifierOptions.filter(({ name }) => name.startsWith(ASSIGNABLE))
    .map(({ id }) => id);
}

export const ASSIGNABLE = 'Assign';

/** All that a probe has left in the service, by what is recorded. */
export function leftRecords(entries: Entries): readonly LeftRecord[] {
  return [...entries.all('live'), ...entries.all('retired')]
    .filter(({ address }) => isReserved(address))
    .map(({ address, id }) => ({ address, id }));
}

/** What stands at an address of the probe and was not made by one: nothing may be tried on it. */
export function foreignRecords(entries: Entries): readonly LeftRecord[] {
  const answered = [...entries.all('live'), ...entries.all('retired')];
  return [
    ...answered.filter(({ answer }) => !answer.name.startsWith(NAME)),
    ...entries.all('imported'),
  ].filter(({ address }) => isReserved(address));
}

/** How many records the service has more after a probe that tells all but the `settled` points: at most so many. */
export function mostNewRecords(
  entries: Entries,
  settled: ReadonlyMap<ProfilePoint, unknown>,
  again: boolean,
): number {
  const known = new Set(leftRecords(entries).map(({ address }) => address));
  const counts = [
    !known.has(probeClassifier),
    !known.has(probeItem),
    // A repeated create and an update of an unused ID may each make one.
    !settled.has('itemCreate.existingId'),
    !settled.has('update.unknownId') && (again || !known.has(strayItem)),
  ];
  return counts.filter(Boolean).length;
}

/** Leads nowhere: `.invalid` is never registered. */
export const THUMBNAIL = 'https://trove-probe.invalid/thumbnail.png';

/** Where assignments are merged, each probe uses one up permanently, so there are more than one run needs. */
const assignable = Array.from({ length: 8 }, (_, index) => `${ASSIGNABLE} ${index + 1}`);
const optionNames = [...assignable, 'Change 1', 'Change 2'];

/** The classifier and the item that everything is tried on: new, or those of an earlier run, confirmed by an update. */
export async function prepare(run: ProbeRun): Promise<void> {
  await prepareClassifier(run);
  if (!run.halted) await prepareItem(run);
}

async function prepareClassifier(run: ProbeRun): Promise<void> {
  const known = recordAt(run, probeClassifier);
  if (known)
    return giveUpUnlessAnswered(run, await run.update(probeClassifier, known.id, { name: classifierName }));
  if (waits(run, probeClassifier)) return;
  const classifierOptions = optionNames.map((name) => ({ name, dropRateMultiplier: 1 }));
  const reply = await run.create(probeClassifier, { name: classifierName, classifierOptions });
  giveUpUnlessAnswered(run, reply, probeClassifier);
  if (!run.halted && assignableOptions(run).length < assignable.length)
    run.writer.halt({ kind: 'no-records' });
}

/** `itemCreate.clientId`: the ID of a new item is the one that was asked for, or another. */
async function prepareItem(run: ProbeRun): Promise<void> {
  if (recordAt(run, probeItem)) return giveUpUnlessAnswered(run, await updateItem(run));
  const repeatable = run.ports.environment.profile['itemCreate.clientId'] === 'honoured';
  if (!repeatable && waits(run, probeItem)) return;
  const reply = await createItem(run, assignableOptions(run).slice(0, 1), repeatable);
  if (reply.kind === 'answered') {
    const isHonoured = reply.answer.id === askedId(run);
    return run.tell('itemCreate.clientId', isHonoured ? 'honoured' : 'ignored', reply.exchange);
  }
  // The same ID once more made no second record, and an answer to its update shows that there is one.
  const isOpen = repeatable && isPending(run, probeItem);
  if (!isOpen || (await updateItem(run)).kind !== 'answered') giveUpUnlessAnswered(run, reply, probeItem);
}

/** A create of the probe item under the ID that is its own in every run. */
export function createItem(
  run: ProbeRun,
  classifierOptionIds: readonly string[],
  repeatable = false,
): Promise<Reply<WireItem>> {
  const body = {
    ...{ id: askedId(run), name: itemName, rollNumerator: 1, thumbnail: THUMBNAIL, classifierOptionIds },
    itemAttributes: rangesOf(probeAttributes(run)),
  } satisfies CreateItemBody;
  return run.create(probeItem, body, repeatable);
}

/** A create of an earlier run with an unknown outcome: another one could make a second record. */
export function waits(run: ProbeRun, address: Address): boolean {
  if (!isPending(run, address)) return false;
  run.writer.halt({ kind: 'unknown', address });
  return true;
}

function isPending({ ports }: ProbeRun, address: Address): boolean {
  return ports.recorder.entries.find('pending', address) !== undefined;
}

/** `created`: what the reply is to a create of. */
function giveUpUnlessAnswered(run: ProbeRun, reply: Reply<unknown>, created?: Address): void {
  if (reply.kind === 'answered') return;
  const error = reply.error && { error: reply.error };
  if (created && isPending(run, created)) run.writer.halt({ kind: 'unknown', address: created, ...error });
  else run.writer.halt({ kind: 'no-records', ...error });
}
