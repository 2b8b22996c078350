import { type Address, addressOf, type ClassifierDeclaration } from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import type { FieldDifference } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { PlanBasis, Renewals } from './basis.ts';
import { wasNotTaken } from './not-taken.ts';
import { wantedChanges } from './wanted.ts';

/**
 * Where an update replaces the options of a classifier, they are told apart by name (section 4.4 shows nothing), so
 * a renamed option is a new one, and the items of the old one lose it. They are assigned anew in the same plan; where
 * one of them could not be, the rename is held back. A removed option takes its assignments along.
 */
export function renewals(basis: PlanBasis, replaced: ReadonlySet<Address>): Renewals {
  const options = new Set<string>();
  const gone = new Set<string>();
  const held = new Map<string, Obstacle>();
  if (basis.profile['classifierUpdate.options'] === 'replace') {
    for (const { address, id, isRemoved } of changedOptions(basis, replaced)) {
      const loser = isRemoved ? undefined : itemThatWouldLose(id, basis);
      if (loser) held.set(address, wouldBeLost(address, loser));
      else gone.add(id);
      if (!loser && !isRemoved) options.add(address);
    }
  }
  return { options, gone, held };
}

interface ChangedOption {
  /** `classifier.rarity.common` */
  readonly address: string;
  readonly id: string;
  /** Else it is renamed. */
  readonly isRemoved: boolean;
}

function changedOptions(basis: PlanBasis, replaced: ReadonlySet<Address>): readonly ChangedOption[] {
  const { catalog, entries } = basis;
  return [...catalog.classifiers].flatMap(([key, declared]) => {
    const address = addressOf('classifier', key);
    const record = entries.find('live', address) ?? entries.find('retired', address);
    if (!record || replaced.has(address) || entries.find('pending', address) || !basis.selected(address))
      return [];
    return wantedChanges('classifier', declared, record, basis)
      .filter((difference) => endsAnOption(difference) && !wasNotTaken(difference, record))
      .map(({ path, after }) =>
        changedOption(address, path.slice('options.'.length), record, after === null),
      );
  });
}

/** An option that no key has goes by its id. */
function changedOption(
  classifier: Address,
  option: string,
  record: ResourceRecord,
  isRemoved: boolean,
): ChangedOption {
  const id = recordedOptionId(record, option) ?? option;
  return { address: `${classifier}.${option}`, id, isRemoved };
}

function endsAnOption({ path, before, after }: FieldDifference): boolean {
  if (!path.startsWith('options.') || before === null) return false;
  type Option = ClassifierDeclaration['options'][string];
  return after === null || (before as Option).name !== (after as Option).name;
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
