import { type Address, addressOf, kindOf } from '../catalog/model.ts';
import { recordedOptionId } from '../resources/classifier.ts';
import { type FieldDifference, groupOf } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import { kinds } from '../resources/registry.ts';
import type { PendingCreate } from '../state/model.ts';
import type { PlanContext } from './context.ts';
import type { HeldOption, Reason } from './reason.ts';

/** What keeps a difference from being sent: the interface, or a classifier that is itself blocked or unknown. */
export interface Blocker {
  readonly action: 'blocked' | 'waiting';
  readonly reason: Reason;
}

/** An update is blocked by what it would refer to and by what the interface can't say. */
export function updateBlocker(
  address: Address,
  difference: FieldDifference,
  context: PlanContext,
): Blocker | undefined {
  // First, for what waits is perhaps no difference at all: until its classifier is known, an option goes by an id.
  const waiting = waitingFor(address, difference, context);
  if (waiting) return waiting;
  const obstacle =
    kinds[kindOf(address)].obstacle(difference, context.profile) ??
    (groupOf(difference.path) === 'options'
      ? context.heldOptions.held.get(`${address}.${memberOf(difference)}`)
      : undefined);
  return obstacle
    ? { action: 'blocked', reason: reasonOf(obstacle, address, context) }
    : missingOption(difference, context);
}

function reasonOf(obstacle: Obstacle | HeldOption, of: Address, { isOpen }: PlanContext): Reason {
  return 'point' in obstacle ? { ...obstacle, of, isOpen: isOpen(obstacle.point) } : { ...obstacle, of };
}

function memberOf({ path }: Pick<FieldDifference, 'path'>): string {
  return path.slice(path.indexOf('.') + 1);
}

/** A create can say everything; only what it refers to can be missing. */
export function createBlocker(
  address: Address,
  desired: readonly FieldDifference[],
  context: PlanContext,
): Blocker | undefined {
  const first = (find: (difference: FieldDifference) => Blocker | undefined) =>
    desired.map(find).find((each) => each !== undefined);
  return (
    first((difference) => missingOption(difference, context)) ??
    first((difference) => waitingFor(address, difference, context))
  );
}

/**
 * The classifiers without which a difference of assignments can't be sent. A removal waits for all that the item
 * declares: what it takes away may be the same classifier under another key, or one that goes by its id so far.
 */
function waitingFor(
  address: Address,
  difference: FieldDifference,
  { catalog, unavailable }: PlanContext,
): Blocker | undefined {
  if (groupOf(difference.path) !== 'classifiers') return undefined;
  const item = catalog.items.get(address.slice('item.'.length));
  const declared = Object.keys(item?.declaration.classifiers ?? {}).map((key) =>
    addressOf('classifier', key),
  );
  const awaited = declared.filter((each) => unavailable.has(each)).sort();
  const concerns =
    difference.after === null || awaited.includes(addressOf('classifier', memberOf(difference)));
  if (awaited.length === 0 || !concerns) return undefined;
  const classifiers = awaited.map((each) => ({
    address: each,
    action: unavailable.get(each) ?? ('unknown' as const),
  }));
  return { action: 'waiting', reason: { code: 'waits-for-classifiers', classifiers } };
}

/** An option that can't be assigned yet, or not by this key. What is assigned already stays. */
function missingOption({ path, before, after }: FieldDifference, context: PlanContext): Blocker | undefined {
  if (groupOf(path) !== 'classifiers' || !Array.isArray(after)) return undefined;
  const address = addressOf('classifier', memberOf({ path }));
  if (context.replaced.has(address) || context.entries.find('imported', address)) return undefined;
  const isAdded = (option: string) => !(Array.isArray(before) && before.includes(option));
  const blockers = after.map((option: string) =>
    isAdded(option)
      ? optionBlocker(address, option, context)
      : unclearOption(`${address}.${option}`, context),
  );
  return blockers.find((each) => each !== undefined);
}

function optionBlocker(address: Address, option: string, context: PlanContext): Blocker | undefined {
  const { entries, heldOptions } = context;
  const path = `${address}.${option}`;
  const unclear = unclearOption(path, context);
  if (unclear) return unclear;
  if (heldOptions.renamed.has(path))
    return { action: 'waiting', reason: { code: 'waits-for-update', classifier: address, option: path } };
  const record = entries.find('live', address) ?? entries.find('retired', address);
  if (!record || recordedOptionId(record, option) !== undefined || heldOptions.added.has(path))
    return undefined;
  const held = heldOptions.held.get(path);
  if (held) return { action: 'blocked', reason: { ...held, of: address } };
  return { action: 'blocked', reason: { code: 'option-without-id', option: path, of: address } };
}

/** While a key may mean either of two options, the item keeps what it has. */
function unclearOption(option: string, { heldOptions }: PlanContext): Blocker | undefined {
  const name = heldOptions.unclear.get(option);
  return name === undefined
    ? undefined
    : { action: 'blocked', reason: { code: 'option-unclear', option, name } };
}

/** The part of a reason that tells of something whose outcome was not seen. */
export function unseen({ at, reason }: Pick<PendingCreate, 'at' | 'reason'>) {
  return { at, ...(reason !== undefined && { cause: reason }) };
}
