import equal from 'fast-deep-equal';
import { type Address, addressOf, keyOf, kindOf, type OptionDeclaration } from '../catalog/model.ts';
import { classifier, recordedOptionId } from '../resources/classifier.ts';
import { type Fields, membersOf } from '../resources/fields.ts';
import { isDeclared, knownFields } from '../resources/registry.ts';
import { wasNotTaken } from './change.ts';
import type { PlanBasis, PlannedOption } from './context.ts';
import { isSelected } from './options.ts';
import type { HeldOption } from './reason.ts';

/**
 * Services that accept options in an update tell them apart by name (API section 4.4 documents nothing). Where they
 * are replaced, an option that is renamed or removed disappears from its items, so neither is sent while an item has
 * it. Two options of one name are never sent. A key whose declared name is not sent, and which is the name of another
 * option, may mean either of the two, so items keep the assignments that they have.
 */
export function plannedOptions(basis: PlanBasis): ReadonlyMap<string, PlannedOption> {
  const planned = new Map<string, PlannedOption>();
  const holderOf = optionHolders(basis);
  for (const key of basis.catalog.classifiers.keys()) {
    const address = addressOf('classifier', key);
    const changes = optionChanges(address, holderOf, basis);
    for (let twin = sharedName(changes); twin; twin = sharedName(changes))
      twin.held = { code: 'option-name-in-use', name: twin.after?.name ?? '' };
    for (const change of changes)
      planned.set(`${address}.${change.key}`, {
        held: change.held,
        sent: isSent(change) ? effectOf(change) : undefined,
        unclear: !isSent(change) && isShifted(change, changes) ? change.before?.name : undefined,
      });
  }
  return planned;
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
function optionChanges(address: Address, holderOf: HolderOf, basis: PlanBasis): readonly OptionChange[] {
  const { catalog, entries, names } = basis;
  const declaration = catalog.classifiers.get(keyOf(address))?.declaration;
  const record = entries.find('live', address) ?? entries.find('retired', address);
  const isUnconfirmed = entries.find('pending', address) ?? entries.find('imported', address);
  if (!declaration || !record || isUnconfirmed || !basis.selected(address)) return [];
  // A replacement that was asked for is sent instead, or blocked.
  const isIgnored =
    basis.planOptions.replace.includes(address) ||
    declaration.lifecycle?.ignoreChanges?.includes('options') === true;
  const isTriedAgain = isSelected(basis.planOptions.reassert, address);
  const optionsOf = (from: Fields) => new Map(membersOf<OptionDeclaration>(from, 'options'));
  const had = optionsOf(knownFields('classifier', record, names));
  const has = optionsOf(classifier.desired(declaration));
  return [...new Set([...has.keys(), ...had.keys()])].map((key): OptionChange => {
    const [before, after] = [had.get(key) ?? null, has.get(key) ?? null];
    if (equal(before, after)) return { key, before, after: before, isSendable: true, held: undefined };
    const difference = { path: `options.${key}`, before, after };
    const isLeft = isIgnored || (!isTriedAgain && wasNotTaken(difference, record));
    const isSendable = !isLeft && classifier.obstacle(difference, basis.profile) === undefined;
    const isLost = isSendable && before !== null && before.name !== after?.name;
    const holder = isLost ? holderOf(recordedOptionId(record, key) ?? key) : undefined;
    const held = holder && stillAssigned(`${address}.${key}`, holder, after !== null);
    return { key, before, after, isSendable, held };
  });
}

function stillAssigned(option: string, holder: Holder, isRenamed: boolean): HeldOption {
  return { code: 'option-assigned', option, ...holder, isRenamed };
}

/** An item that has an option, or may have it. `isSeen`: an answer shows that it has. */
type Holder = { readonly item: Address; readonly isSeen: boolean };
type HolderOf = (optionId: string) => Holder | undefined;

/**
 * Items that are in use or declared again. One whose update was not seen may have the options that were sent; of those
 * that no answer has shown yet, any may have any option.
 */
function optionHolders({ catalog, entries }: PlanBasis): HolderOf {
  const isDeclaredItem = ({ address }: { readonly address: Address }) =>
    kindOf(address) === 'item' && isDeclared(catalog, address);
  const seen = [...entries.all('live'), ...entries.all('retired').filter(isDeclaredItem)];
  const known = new Map(
    seen.flatMap(({ address, answer }) =>
      'classifiers' in answer
        ? answer.classifiers.map(({ classifierOption }) => [classifierOption.id, address] as const)
        : [],
    ),
  );
  const unseen = (['imported', 'pending', 'forgotten'] as const).flatMap((status) => entries.all(status));
  const first = unseen.find(isDeclaredItem);
  // An ID is a key or a value in the body, as the profile has it.
  const sent = seen.flatMap(({ address, unconfirmed }) =>
    unconfirmed ? [{ address, body: JSON.stringify(unconfirmed.request.body) }] : [],
  );
  return (optionId) => {
    const item = known.get(optionId);
    if (item) return { item, isSeen: true };
    const doubtful = sent.find(({ body }) => body.includes(JSON.stringify(optionId))) ?? first;
    return doubtful && { item: doubtful.address, isSeen: false };
  };
}

function isSent({ isSendable, held }: OptionChange): boolean {
  return isSendable && held === undefined;
}

function effectOf(change: OptionChange): PlannedOption['sent'] {
  if (change.before === null) return 'added';
  return isRenamed(change) ? 'renamed' : undefined;
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
  const isStaying = (each: OptionChange) => !isSent(each) || each.before === each.after;
  const staying = new Map(changes.filter(isStaying).map((each) => [each.before?.name, each]));
  return changes.find((change) => {
    const other = change.after ? staying.get(change.after.name) : undefined;
    return other && isSent(change) && change.after?.name !== change.before?.name;
  });
}
