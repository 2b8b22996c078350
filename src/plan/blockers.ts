import { type Address, addressOf, keyOf, kindOf } from '../catalog/model.ts';
import { recordedOptionId } from '../resources/classifier.ts';
import { type FieldDifference, groupOf } from '../resources/fields.ts';
import { kinds } from '../resources/registry.ts';
import { declaredFields, type Resource } from './change.ts';
import type { PlanContext } from './context.ts';
import { type Blocker, blockedBy } from './reason.ts';

/** An update is blocked by what it would refer to and by what the interface can't say. */
export function updateBlocker(
  address: Address,
  difference: FieldDifference,
  context: PlanContext,
): Blocker | undefined {
  // First, for what waits is perhaps no difference at all: until its classifier is known, an option goes by an id.
  const waiting = waitingFor(address, difference, context);
  if (waiting) return waiting;
  const obstacle = kinds[kindOf(address)].obstacle(difference, context.profile);
  if (obstacle) return blockedBy({ ...obstacle, of: address, isOpen: context.isOpen(obstacle.point) });
  const isOption = groupOf(difference.path) === 'options';
  const held = isOption ? context.options.get(`${address}.${keyOf(difference.path)}`)?.held : undefined;
  return held ? blockedBy({ ...held, of: address }) : missingOption(difference, context);
}

/**
 * A create can say everything; only what it refers to can be missing, or its declared id be that of another address:
 * it would make one record of two resources.
 */
export function createBlocker(resource: Resource, context: PlanContext): Blocker | undefined {
  const { kind, key, address, declaredId: id } = resource;
  const desired = declaredFields(resource);
  const missing =
    firstOf(desired, (each) => missingOption(each, context)) ??
    firstOf(desired, (each) => waitingFor(address, each, context));
  if (missing || kind !== 'item' || id === undefined) return missing;
  const holder = context.clientIds.holderOf(id, key);
  return holder === undefined ? undefined : blockedBy({ code: 'id-held', id, holder });
}

function firstOf<T, U>(values: readonly T[], find: (value: T) => U | undefined): U | undefined {
  return values.map(find).find((found) => found !== undefined);
}

/**
 * The classifiers without which a difference of assignments can't be sent. A removal waits for all that the item
 * declares: what it takes away may be the same classifier under another key, or one that goes by its id so far.
 */
function waitingFor(
  address: Address,
  { path, after }: FieldDifference,
  { catalog, classifiers: planned }: PlanContext,
): Blocker | undefined {
  if (groupOf(path) !== 'classifiers') return undefined;
  const declared = catalog.items.get(keyOf(address))?.declaration.classifiers ?? {};
  const classifiers = Object.keys(declared).flatMap((key) => {
    const classifier = addressOf('classifier', key);
    const action = planned.get(classifier);
    return action && action !== 'replace' ? [{ address: classifier, action }] : [];
  });
  const isConcerned = after === null || classifiers.some((each) => keyOf(each.address) === keyOf(path));
  if (classifiers.length === 0 || !isConcerned) return undefined;
  classifiers.sort((a, b) => (a.address < b.address ? -1 : 1));
  return { action: 'waiting', reason: { code: 'waits-for-classifiers', classifiers } };
}

/** An option that can't be assigned yet, or not by this key. What is assigned already stays. */
function missingOption({ path, before, after }: FieldDifference, context: PlanContext): Blocker | undefined {
  if (groupOf(path) !== 'classifiers' || !Array.isArray(after)) return undefined;
  const classifier = addressOf('classifier', keyOf(path));
  const isNew = context.classifiers.get(classifier) === 'replace';
  if (isNew || context.entries.find('imported', classifier)) return undefined;
  const had: readonly string[] = Array.isArray(before) ? before : [];
  return firstOf(after as readonly string[], (option) =>
    optionBlocker(classifier, option, !had.includes(option), context),
  );
}

function optionBlocker(
  classifier: Address,
  key: string,
  isAdded: boolean,
  { entries, options }: PlanContext,
): Blocker | undefined {
  const option = `${classifier}.${key}`;
  const { unclear, sent, held } = options.get(option) ?? {};
  // While a key may mean either of two options, the item keeps what it has.
  if (unclear !== undefined) return blockedBy({ code: 'option-unclear', option, name: unclear });
  if (!isAdded) return undefined;
  if (sent === 'renamed')
    return { action: 'waiting', reason: { code: 'waits-for-update', classifier, option } };
  const record = entries.find('live', classifier) ?? entries.find('retired', classifier);
  if (!record || recordedOptionId(record, key) !== undefined || sent === 'added') return undefined;
  return blockedBy(
    held ? { ...held, of: classifier } : { code: 'option-without-id', option, of: classifier },
  );
}
