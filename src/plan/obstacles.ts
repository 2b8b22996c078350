import { type Address, addressOf, kindOf } from '../catalog/model.ts';
import { type FieldDifference, groupOf } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { kinds } from '../resources/registry.ts';
import type { PendingCreate } from '../state/model.ts';
import type { PlanContext } from './basis.ts';
import type { Hindrance } from './hindered.ts';
import { isStillLost, lostBehind, notFoundYet } from './lost-classifiers.ts';
import { wasNotTaken } from './not-taken.ts';
import { isSelected } from './wishes.ts';

/** An update is hindered by what the interface can't say and by what it would refer to. */
export function updateHindrance(
  address: Address,
  difference: FieldDifference,
  context: PlanContext,
): Hindrance | undefined {
  const lost = lostBehind(address, difference, context);
  if (lost.length > 0) return { kind: 'blocked', ...notFoundYet(lost, context) };
  const { held } = context.renewals;
  const obstacle =
    kinds[kindOf(address)].obstacle(difference, context.profile) ??
    held.get(`${address}.${memberOf(difference)}`);
  return obstacle
    ? { kind: 'blocked', ...withWaysOut(obstacle, address, context) }
    : referenceHindrance(difference, context);
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

function memberOf({ path }: FieldDifference): string {
  return path.slice(path.indexOf('.') + 1);
}

/** A create can say everything; only what it refers to can be missing. */
export function createHindrance(
  desired: readonly FieldDifference[],
  context: PlanContext,
): Hindrance | undefined {
  const found = desired
    .map((difference) => referenceHindrance(difference, context))
    .filter((each) => each !== undefined);
  return found.find(({ kind }) => kind === 'waiting') ?? found[0];
}

function referenceHindrance({ path, after }: FieldDifference, context: PlanContext): Hindrance | undefined {
  if (groupOf(path) !== 'classifiers' || !Array.isArray(after)) return undefined;
  const key = path.slice('classifiers.'.length);
  const address = addressOf('classifier', key);
  const pending = context.pending.get(address);
  if (pending) return { kind: 'waiting', ...waitingFor(address, context) };
  if (isStillLost(address, context)) return { kind: 'blocked', ...notFoundYet([address], context) };
  const missing = after.find((option: string) => !isAvailable(key, option, context));
  return missing === undefined ? undefined : { kind: 'blocked', ...missingOption(address, missing, context) };
}

/** True where the option has an id, or gets one from a create or update of the same plan. */
function isAvailable(classifier: string, option: string, context: PlanContext): boolean {
  const address = addressOf('classifier', classifier);
  const record = context.state?.resources[address] ?? context.retired.get(address);
  if (context.replaced.has(address) || context.imported.has(address)) return true;
  if (!record || recordedOptionId(record, option) !== undefined) return true;
  if (context.profile['classifierUpdate.options'] === 'unsupported') return false;
  const declaration = context.catalog.classifiers.get(classifier)?.declaration;
  const isIgnored = declaration?.lifecycle?.ignoreChanges?.includes('options') ?? false;
  const isTriedAgain = isSelected(context.wishes.reassert, address);
  const difference = { path: `options.${option}`, after: declaration?.options[option] };
  return !isIgnored && (isTriedAgain || !wasNotTaken(difference, record));
}

function missingOption(address: Address, option: string, { flags }: PlanContext): Obstacle {
  return {
    reason: `option ${address}.${option} has no remote id: ${address} was created without it, and the interface documents no way to add one (section 4.4)`,
    remedies: [
      'assign an option that exists',
      `create the classifier anew with all its options: trove apply${flags} --replace ${address}`,
    ],
  };
}

function waitingFor(address: Address, context: PlanContext): Obstacle {
  return {
    reason: `waits for ${address}, whose create may or may not have happened`,
    remedies: resolveCommands(address, context),
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
