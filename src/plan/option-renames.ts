import {
  type Address,
  addressOf,
  type ClassifierDeclaration,
  type OptionDeclaration,
} from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import { classifier } from '../resources/classifier.ts';
import { type FieldDifference, membersOf } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import { knownFields } from '../resources/known-fields.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { kinds } from '../resources/registry.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { OptionRenames, PlanBasis } from './basis.ts';
import { wantedChanges, wasNotTaken } from './differences.ts';
import { isSelected } from './wishes.ts';

/**
 * Services that take options in an update tell them apart by name (API section 4.4 documents nothing). If they are
 * replaced, a renamed option is a new one, and the items of the old one lose it: they are assigned again in the same
 * plan, and if one of them could not be, the rename is held back. So is a removal where an item is to have another
 * option instead. Two options of one name are never sent. While a name is not sent that another option has or had,
 * nobody can tell which of the two a key means, and nothing new is assigned to it.
 */
export function optionRenames(basis: PlanBasis, replaced: ReadonlySet<Address>): OptionRenames {
  const found = {
    options: new Set<string>(),
    gone: new Set<string>(),
    held: new Map<string, Obstacle>(),
    unclear: new Map<string, string>(),
  };
  for (const [key, declared] of basis.catalog.classifiers) {
    const address = addressOf('classifier', key);
    const record = basis.entries.find('live', address) ?? basis.entries.find('retired', address);
    const isReplaced = replaced.has(address) || basis.wishes.replace.includes(address);
    const isAsked = basis.entries.find('pending', address) ?? basis.entries.find('imported', address);
    const isPlanned = !isReplaced && !isAsked;
    if (record && isPlanned && basis.selected(address))
      renamesOf(address, declared.declaration, record, basis, found);
  }
  return found;
}

interface Found extends OptionRenames {
  readonly options: Set<string>;
  readonly gone: Set<string>;
  readonly held: Map<string, Obstacle>;
  readonly unclear: Map<string, string>;
}

function renamesOf(
  address: Address,
  declaration: ClassifierDeclaration,
  record: ResourceRecord,
  basis: PlanBasis,
  { options, gone, held, unclear }: Found,
): void {
  const changes = optionChanges(address, declaration, record, basis);
  const isReplacing = basis.profile['classifierUpdate.options'] === 'replace';
  const idOf = ({ key }: OptionChange) => recordedOptionId(record, key) ?? key;
  for (const change of changes.filter(({ isSendable }) => isReplacing && isSendable)) {
    const loser = itemThatWouldLose(address, change, record, basis);
    if (loser) held.set(`${address}.${change.key}`, wouldBeLost(`${address}.${change.key}`, change, loser));
  }
  const isHeld = (change: OptionChange) => !change.isSendable || held.has(`${address}.${change.key}`);
  for (let twin = sharedName(changes, isHeld); twin; twin = sharedName(changes, isHeld))
    held.set(`${address}.${twin.key}`, nameInUse(twin.after?.name ?? ''));
  for (const { key, before } of changes.filter((change) => isHeld(change) && isShifted(change, changes)))
    unclear.set(`${address}.${key}`, before?.name ?? '');
  if (!isReplacing) return;
  const sent = changes.filter((change) => !isHeld(change));
  const names = new Set(sent.map(({ after }) => after?.name));
  for (const change of sent.filter((each) => each.before && each.before.name !== each.after?.name)) {
    if (change.after) options.add(`${address}.${change.key}`);
    if (!names.has(change.before?.name)) gone.add(idOf(change));
  }
}

/** One option, as it is and as it shall be; one that nothing changes has the same on both sides. */
interface OptionChange {
  /** The ID, if no key has it. */
  readonly key: string;
  readonly before: OptionDeclaration | null;
  readonly after: OptionDeclaration | null;
  /** False if the update leaves it as it is, whatever is declared. */
  readonly isSendable: boolean;
}

function optionChanges(
  address: Address,
  declaration: ClassifierDeclaration,
  record: ResourceRecord,
  basis: PlanBasis,
): readonly OptionChange[] {
  const isTriedAgain = isSelected(basis.wishes.reassert, address);
  const wanted = wantedChanges('classifier', { declaration }, record, basis);
  const differences = wanted.filter(({ path }) => path.startsWith('options.'));
  const changed = differences.map((difference): OptionChange => {
    const isLeft = !isTriedAgain && wasNotTaken(difference, record);
    const isSendable = !isLeft && classifier.obstacle(difference, basis.profile) === undefined;
    return { ...(difference as Sides), key: difference.path.slice('options.'.length), isSendable };
  });
  const keys = new Set(changed.map(({ key }) => key));
  const same = membersOf(knownFields('classifier', record, basis.names), 'options')
    .filter(([key]) => !keys.has(key))
    .map(([key, option]) => {
      const value = option as OptionDeclaration;
      return { key, before: value, after: value, isSendable: true };
    });
  return [...changed, ...same];
}

type Sides = FieldDifference & Pick<OptionChange, 'before' | 'after'>;

/** One that gives up its name to another, or takes over the name of another. */
function isShifted({ before, after }: OptionChange, all: readonly OptionChange[]): boolean {
  if (!before || !after || before.name === after.name) return false;
  return all.some((other) => other.after?.name === before.name || other.before?.name === after.name);
}

/** A change that would give an option the name of one that is left as it is. */
function sharedName(
  changes: readonly OptionChange[],
  isHeld: (change: OptionChange) => boolean,
): OptionChange | undefined {
  const left = new Map(
    changes
      .filter((each) => isHeld(each) || each.before === each.after)
      .map((each) => [each.before?.name, each]),
  );
  return changes.find((change) => {
    const { before, after } = change;
    const other = after ? left.get(after.name) : undefined;
    return other && other !== change && !isHeld(change) && after?.name !== before?.name;
  });
}

function nameInUse(name: string): Obstacle {
  return {
    reason: `another option that stays has the name ${JSON.stringify(name)}, and the service tells options apart by name`,
    remedies: ['give it another name', 'put the other option back under its key'],
  };
}

/** A declared item that would lose this option with its old name, and not be sent what is declared in its place. */
function itemThatWouldLose(
  classifier: Address,
  { key, before, after }: OptionChange,
  record: ResourceRecord,
  basis: PlanBasis,
): Address | undefined {
  if (!before || before.name === after?.name) return undefined;
  const optionId = recordedOptionId(record, key) ?? key;
  const path = `classifiers.${classifier.slice('classifier.'.length)}`;
  for (const [item, { declaration }] of basis.catalog.items) {
    const address = addressOf('item', item);
    const live = basis.entries.find('live', address);
    const ids = new Set((live?.answer as WireItem | undefined)?.classifiers.map(optionIdOf));
    if (!live || !ids.has(optionId)) continue;
    const wanted = (kinds.item.desired(declaration).values.get(path) ?? []) as readonly string[];
    const isIgnored = declaration.lifecycle?.ignoreChanges?.includes('classifiers') ?? false;
    const isManaged = declaration.classifiers !== undefined && !isIgnored;
    const isReassigned = isManaged && wanted.some((each) => !ids.has(recordedOptionId(record, each) ?? ''));
    // A removal takes the option from its items, which is what it says, unless they are to have another one.
    if (!after && !isReassigned) continue;
    const isStuck = wasNotTaken({ path, after: wanted }, live) && !isSelected(basis.wishes.reassert, address);
    const canAssign = basis.profile['itemUpdate.classifierOptionIds'] !== 'unsupported';
    if (!canAssign || !isManaged || isStuck || !basis.selected(address)) return address;
  }
  return undefined;
}

function optionIdOf({ classifierOption }: WireItem['classifiers'][number]): string {
  return classifierOption.id;
}

function wouldBeLost(option: string, { after }: OptionChange, item: Address): Obstacle {
  const what = after
    ? `renaming ${option} makes it a new option where options are replaced, and ${item} could not be assigned to it again`
    : `removing ${option} takes it from ${item}, which could not be assigned to the option declared in its place`;
  return {
    reason: what,
    remedies: [
      after ? 'put the name back as it was' : 'put the option back',
      'set `itemUpdate.classifierOptionIds` in the profile of the environment',
      'let the item declare its `classifiers`, and plan it too',
    ],
  };
}
