import { type Address, addressOf, isReservedKey, keyOf, PROBE_KEY } from '../catalog/model.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import { pathOf } from '../contract/routes.ts';
import type { UpdateItemBody, WireClassifier, WireItem, WireRange } from '../contract/wire.ts';
import { uuid5 } from '../environment/uuid5.ts';
import type { Entries } from '../state/entries.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { LeftRecord, Reply } from './model.ts';
import type { ProbeRun } from './run.ts';

/** Everything is tried on these two records; people who meet them in the service's tools can tell what they are. */
export const probeClassifier: Address = addressOf('classifier', PROBE_KEY);
export const probeItem: Address = addressOf('item', `${PROBE_KEY}-a`);
/** Where a record is kept that an update of an unknown id has made. */
export const strayItem: Address = addressOf('item', `${PROBE_KEY}-none`);

export const NAME = 'Trove probe';
export const classifierName = `${NAME} (safe to ignore)`;
export const itemName = `${NAME} A (safe to ignore)`;

/** At most this many ranges: one to repeat and one to leave out. */
const RANGES = 2;

export function probeAttributes({ ports }: ProbeRun): readonly string[] {
  return [...new Set(ports.environment.attributes.values())].slice(0, RANGES);
}

export function rangesOf(attributeIds: readonly string[]): readonly WireRange[] {
  return attributeIds.map((attributeId) => ({ attributeId, min: 1, max: 2 }));
}

/** The id that the create of the probe item asks for, derived as `apply` derives those of a catalog. */
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
 * not recorded, it is the one that a create of the asked id may have made.
 */
export function updateItem(run: ProbeRun, extra: Partial<UpdateItemBody> = {}): Promise<Reply<WireItem>> {
  const id = recordAt(run, probeItem)?.id ?? askedId(run);
  const body = {
    name: itemName,
    rollNumerator: 1,
    attributes: rangesOf(probeAttributes(run)),
    ...extra,
  } satisfies UpdateItemBody;
  return run.update(probeItem, id, { method: 'PUT', path: pathOf('updateItem', id), body });
}

/** The probe item as it is now; where an update was not seen, it is updated once more to learn it. */
export async function currentItem(run: ProbeRun): Promise<WireItem | undefined> {
  const record = run.ports.recorder.entries.find('live', probeItem);
  const settled = record && !record.unconfirmed && !run.ports.recorder.entries.find('pending', probeItem);
  if (settled) return record.answer as WireItem;
  const reply = await updateItem(run);
  return reply.kind === 'answered' ? reply.answer : undefined;
}

export function optionsOf({ classifiers }: WireItem): ReadonlySet<string> {
  return new Set(classifiers.map(({ classifierOption }) => classifierOption.id));
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
  return reserved([...entries.all('live'), ...entries.all('retired')]);
}

/** What stands at an address of the probe and was not made by one: nothing may be tried on it. */
export function foreignRecords(entries: Entries): readonly LeftRecord[] {
  const recorded = [...entries.all('live'), ...entries.all('retired')].filter(
    ({ answer }) => !answer.name.startsWith(NAME),
  );
  return reserved([...recorded, ...entries.all('imported')]);
}

function reserved(records: readonly LeftRecord[]): readonly LeftRecord[] {
  return records.filter(({ address }) => isReserved(address)).map(({ address, id }) => ({ address, id }));
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
    // A create that is sent once more, and an update of an id that nobody has, may each make one.
    !settled.has('itemCreate.existingId'),
    !settled.has('update.unknownId') && (again || !known.has(strayItem)),
  ];
  return counts.filter(Boolean).length;
}
