import { type Address, addressOf, kindOf } from '../catalog/model.ts';
import { type FieldDifference, groupOf } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { kinds } from '../resources/registry.ts';
import type { PendingCreate } from '../state/model.ts';
import type { PlanContext } from './context.ts';

/** What keeps a difference from being sent: the interface, or a classifier that is itself blocked or unknown. */
export type Blocker = Obstacle & { readonly action: 'blocked' | 'waiting' };

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
    ? { action: 'blocked', ...withWaysOut(obstacle, address, context) }
    : missingOption(difference, context);
}

/** A new record can be whatever is declared, and a service may do more than it shows. */
function withWaysOut(
  { reason, remedies, setting }: Obstacle,
  address: Address,
  { flags, isOpen }: PlanContext,
): Obstacle {
  const settable = setting && isOpen(setting.point) ? setting : undefined;
  return {
    reason,
    remedies: [
      ...remedies,
      ...(settable ? [settable.remedy, `let Trove find out what the service does: trove probe${flags}`] : []),
      `create it anew and retire this record: trove apply${flags} --replace ${address}`,
    ],
  };
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
  const each = awaited.map((classifier) => `${classifier} (${unavailable.get(classifier)})`);
  return { action: 'waiting', reason: `waits for ${each.join(' and ')}`, remedies: [] };
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
  if (heldOptions.renamed.has(path)) {
    const reason = `waits for the update of ${address}, which may give ${path} another ID: plan again after it`;
    return { action: 'waiting', reason, remedies: [] };
  }
  const record = entries.find('live', address) ?? entries.find('retired', address);
  if (!record || recordedOptionId(record, option) !== undefined || heldOptions.added.has(path))
    return undefined;
  const held = heldOptions.held.get(path);
  if (held) return { action: 'blocked', ...withWaysOut(held, address, context) };
  return {
    action: 'blocked',
    reason: `option ${path} has no remote id: ${address} was created without it, and the API documents no way to add one (API section 4.4)`,
    remedies: [
      'assign an option that exists',
      `create the classifier anew with all its options: trove apply${context.flags} --replace ${address}`,
    ],
  };
}

/** While a key may mean either of two options, the item keeps what it has. */
function unclearOption(option: string, { heldOptions }: PlanContext): Blocker | undefined {
  const recorded = heldOptions.unclear.get(option);
  if (recorded === undefined) return undefined;
  const name = JSON.stringify(recorded);
  return {
    action: 'blocked',
    reason: `${option} still is the option ${name}: its declared name is not sent, and belongs to another option`,
    remedies: [`give the option ${name} its former key back`, 'assign another option'],
  };
}

/** Why a pending create is not simply sent again, and the two ways out. */
export function unresolvedCreate(pending: PendingCreate, context: PlanContext): Obstacle {
  return { reason: createUnseen(pending), remedies: resolveCommands(pending.address, context) };
}

export function createUnseen({
  at,
  reason = 'the run ended before an answer came',
}: Pick<PendingCreate, 'at' | 'reason'>): string {
  return `its create was sent at ${at} and its outcome was not seen: ${reason}`;
}

function resolveCommands(address: Address, { flags }: PlanContext): readonly string[] {
  const command = `trove resolve ${address}${flags}`;
  return [`if the service has the record: ${command} --id ID`, `if it has not: ${command} --not-created`];
}
