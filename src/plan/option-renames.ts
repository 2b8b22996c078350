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
import type { ResourceRecord } from '../state/model.ts';
import type { OptionRenames, PlanBasis } from './basis.ts';
import { wasNotTaken } from './not-taken.ts';
import { wantedChanges } from './wanted.ts';
import { isSelected } from './wishes.ts';

/**
 * Services that take options in an update tell them apart by name (API section 4.4 documents nothing). If they are
 * replaced, a renamed option is a new one, and the items of the old one lose it: they are assigned again in the same
 * plan, and if one of them could not be, the rename is held back. A removed option takes its assignments along,
 * unless another key takes over its name. Two options of one name are never sent.
 */
export function optionRenames(basis: PlanBasis, replaced: ReadonlySet<Address>): OptionRenames {
  const found = { options: new Set<string>(), gone: new Set<string>(), held: new Map<string, Obstacle>() };
  if (basis.profile['classifierUpdate.options'] === 'unsupported') return found;
  for (const [key, declared] of basis.catalog.classifiers) {
    const address = addressOf('classifier', key);
    const record = basis.entries.find('live', address) ?? basis.entries.find('retired', address);
    const isPlanned = !replaced.has(address) && !basis.entries.find('pending', address);
    if (record && isPlanned && basis.selected(address))
      renamesOf(address, declared.declaration, record, basis, found);
  }
  return found;
}

interface Found extends OptionRenames {
  readonly options: Set<string>;
  readonly gone: Set<string>;
  readonly held: Map<string, Obstacle>;
}

function renamesOf(
  address: Address,
  declaration: ClassifierDeclaration,
  record: ResourceRecord,
  basis: PlanBasis,
  { options, gone, held }: Found,
): void {
  const changes = optionChanges(address, declaration, record, basis);
  const isReplacing = basis.profile['classifierUpdate.options'] === 'replace';
  const idOf = ({ key }: OptionChange) => recordedOptionId(record, key) ?? key;
  for (const change of changes.filter(isRenamed)) {
    const loser = isReplacing ? itemThatWouldLose(idOf(change), basis) : undefined;
    if (loser) held.set(`${address}.${change.key}`, wouldBeLost(`${address}.${change.key}`, loser));
  }
  const isHeld = (change: OptionChange) => !change.isSendable || held.has(`${address}.${change.key}`);
  for (let twin = sharedName(changes, isHeld); twin; twin = sharedName(changes, isHeld))
    held.set(`${address}.${twin.key}`, nameInUse(twin.after?.name ?? ''));
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

function isRenamed({ before, after, isSendable }: OptionChange): boolean {
  return isSendable && before !== null && after !== null && before.name !== after.name;
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

/** A declared item that has the option and would not be sent again with the new one. */
function itemThatWouldLose(optionId: string, basis: PlanBasis): Address | undefined {
  const { catalog, entries, profile } = basis;
  const canAssign = profile['itemUpdate.classifierOptionIds'] !== 'unsupported';
  for (const [key, { declaration }] of catalog.items) {
    const address = addressOf('item', key);
    const answer = entries.find('live', address)?.answer as WireItem | undefined;
    if (!answer?.classifiers.some(({ classifierOption }) => classifierOption.id === optionId)) continue;
    const isLeftAlone =
      declaration.classifiers === undefined || declaration.lifecycle?.ignoreChanges?.includes('classifiers');
    if (!canAssign || isLeftAlone || !basis.selected(address)) return address;
  }
  return undefined;
}

function wouldBeLost(option: string, item: Address): Obstacle {
  return {
    reason: `renaming ${option} makes it a new option where options are replaced, and ${item} could not be assigned to it again`,
    remedies: [
      'put the name back as it was',
      'set `itemUpdate.classifierOptionIds` in the profile of the environment',
      'let the item declare its `classifiers`, and plan it too',
    ],
  };
}
