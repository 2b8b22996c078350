import { type Address, addressOf, type OptionDeclaration } from '../catalog/model.ts';
import { classifier, recordedOptionId } from '../resources/classifier.ts';
import { differences, groupOf, membersOf } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import type { HeldOptions, PlanBasis } from './context.ts';
import { wasNotTaken } from './differences.ts';
import { isSelected } from './options.ts';
import type { HeldOption } from './reason.ts';

/**
 * Services that accept options in an update tell them apart by name (API section 4.4 documents nothing). Where they
 * are replaced, an option that is renamed or removed disappears from its items, so neither is sent while an item has
 * it. Two options of one name are never sent. A key whose declared name is not sent, and which is the name of another
 * option, may mean either of the two, so items keep the assignments that they have.
 */
export function heldOptions(basis: PlanBasis): HeldOptions {
  const held = new Map<string, HeldOption>();
  const added = new Set<string>();
  const renamed = new Set<string>();
  const unclear = new Map<string, string>();
  const holders = holdersOfOptions(basis);
  for (const [key] of basis.catalog.classifiers) {
    const address = addressOf('classifier', key);
    const changes = optionChanges(address, holders, basis);
    for (let twin = sharedName(changes); twin; twin = sharedName(changes))
      twin.held = { code: 'option-name-in-use', name: twin.after?.name ?? '' };
    for (const change of changes) {
      const path = `${address}.${change.key}`;
      if (change.held) held.set(path, change.held);
      if (isSent(change) && !change.before) added.add(path);
      if (isSent(change) && isRenamed(change)) renamed.add(path);
      if (isShifted(change, changes) && !isSent(change)) unclear.set(path, change.before?.name ?? '');
    }
  }
  return { held, added, renamed, unclear };
}

/** One option, as it is and as it is declared; both are the same if nothing changes it. */
interface OptionChange {
  /** The ID, if no key has it. */
  readonly key: string;
  readonly before: OptionDeclaration | null;
  readonly after: OptionDeclaration | null;
  /** False if the update leaves it as it is, whatever is declared. */
  readonly isSendable: boolean;
  held: HeldOption | undefined;
}

/** Every option of a recorded classifier; none if its update could not be compared with anything. */
function optionChanges(address: Address, holders: Holders, basis: PlanBasis): readonly OptionChange[] {
  const { catalog, entries, names, profile, planOptions } = basis;
  const declaration = catalog.classifiers.get(address.slice('classifier.'.length))?.declaration;
  const record = entries.find('live', address) ?? entries.find('retired', address);
  const isUnconfirmed = entries.find('pending', address) ?? entries.find('imported', address);
  if (!declaration || !record || isUnconfirmed || !basis.selected(address)) return [];
  // A replacement that was asked for is sent instead, or blocked.
  const isIgnored =
    planOptions.replace.includes(address) ||
    declaration.lifecycle?.ignoreChanges?.includes('options') === true;
  const isTriedAgain = isSelected(planOptions.reassert, address);
  const known = knownFields('classifier', record, names);
  const changed = differences(known, classifier.desired(declaration))
    .filter(({ path }) => groupOf(path) === 'options')
    .map((difference): OptionChange => {
      const key = difference.path.slice('options.'.length);
      const { before, after } = difference as Sides;
      const isLeft = isIgnored || (!isTriedAgain && wasNotTaken(difference, record));
      const isSendable = !isLeft && classifier.obstacle(difference, profile) === undefined;
      const holder = holders.of(recordedOptionId(record, key) ?? key);
      const isLost = isSendable && before !== null && before.name !== after?.name;
      const held = isLost && holder ? stillAssigned(`${address}.${key}`, holder, after !== null) : undefined;
      return { key, before, after, isSendable, held };
    });
  const keys = new Set(changed.map(({ key }) => key));
  const same = membersOf(known, 'options')
    .filter(([key]) => !keys.has(key))
    .map(([key, option]): OptionChange => {
      const value = option as OptionDeclaration;
      return { key, before: value, after: value, isSendable: true, held: undefined };
    });
  return [...changed, ...same];
}

type Sides = Pick<OptionChange, 'before' | 'after'>;

interface Holder {
  readonly item: Address;
  /** Whether an answer shows it with the option. */
  readonly isSeen: boolean;
}

interface Holders {
  /** The item that has this option, or may have it; undefined if none. */
  of(optionId: string): Holder | undefined;
}

/** Items that are in use or declared again; of those that no answer has shown yet, any may have any option. */
function holdersOfOptions({ catalog, entries }: PlanBasis): Holders {
  const isDeclared = ({ address }: { readonly address: Address }) =>
    catalog.items.has(address.slice('item.'.length)) && address.startsWith('item.');
  const items = [...entries.all('live'), ...entries.all('retired').filter(isDeclared)];
  const known = new Map(
    items.flatMap(({ address, answer }) =>
      'classifiers' in answer
        ? answer.classifiers.map(({ classifierOption }) => [classifierOption.id, address] as const)
        : [],
    ),
  );
  const unseen = (['imported', 'pending', 'forgotten'] as const).flatMap((status) => entries.all(status));
  const first = unseen.find(isDeclared);
  return {
    of: (optionId) => {
      const item = known.get(optionId);
      if (item) return { item, isSeen: true };
      return first && { item: first.address, isSeen: false };
    },
  };
}

function isSent({ isSendable, held }: OptionChange): boolean {
  return isSendable && held === undefined;
}

function isRenamed({ before, after }: OptionChange): boolean {
  return before !== null && after !== null && before.name !== after.name;
}

/** One that gives up its name to another, or takes over the name of another. */
function isShifted(change: OptionChange, all: readonly OptionChange[]): boolean {
  if (!isRenamed(change)) return false;
  return all.some(
    ({ before, after }) => after?.name === change.before?.name || before?.name === change.after?.name,
  );
}

/** A change that would give an option the name of one that stays as it is. */
function sharedName(changes: readonly OptionChange[]): OptionChange | undefined {
  const staying = new Map(
    changes
      .filter((each) => !isSent(each) || each.before === each.after)
      .map((each) => [each.before?.name, each]),
  );
  return changes.find((change) => {
    const { before, after } = change;
    const other = after ? staying.get(after.name) : undefined;
    return other && other !== change && isSent(change) && after?.name !== before?.name;
  });
}

function stillAssigned(option: string, holder: Holder, isRenamed: boolean): HeldOption {
  return { code: 'option-assigned', option, ...holder, isRenamed };
}
