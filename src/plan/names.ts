import { type Address, addressOf, type Catalog, keyOf, kindOf } from '../catalog/model.ts';
import type { WireAssignment } from '../contract/api.ts';
import { recordedOptionId } from '../resources/classifier.ts';
import { knownAfterApply, type Names, type Reference } from '../resources/fields.ts';
import type { Entries } from '../state/entries.ts';
import type { ResourceRecord } from '../state/model.ts';

export interface NameSources {
  readonly catalog: Pick<Catalog, 'classifiers'>;
  /** Retired records count too: what is assigned to them, or revives them, goes by their keys. */
  readonly entries: Entries;
  /** Attribute key to the id of its definition in this environment. */
  readonly attributeIds: ReadonlyMap<string, string>;
  /** Whether the id of a classifier, and those of its options, come from a create that is planned. */
  readonly isReplaced?: (classifier: Address) => boolean;
}

/**
 * What keys and ids stand for, given what is recorded. An id that is neither declared nor recorded stands for
 * itself, so that a record assigned to something foreign can still be shown and repeated.
 */
export function namesFrom(sources: NameSources): Names {
  const { catalog, attributeIds } = sources;
  const classifiers = knownClassifiers(sources);
  const attributeKeys = new Map([...attributeIds].map(([key, id]) => [id, key]));
  const options = [...classifiers].flatMap(([classifier, { options = {} }]) =>
    Object.entries(options).map(([option, id]) => [id, { classifier, option }] as const),
  );
  const optionsById = new Map(options);
  const existing = answeredOptions(sources.entries);
  return {
    attributeId: (key) => attributeIds.get(key) ?? key,
    attributeKey: (id) => attributeKeys.get(id) ?? id,
    classifierId(key): Reference {
      const declared = catalog.classifiers.has(key) ? knownAfterApply(addressOf('classifier', key)) : key;
      return classifiers.get(key)?.id ?? declared;
    },
    optionId(classifier, option): Reference {
      const recorded = recordedOptionId(classifiers.get(classifier), option);
      if (recorded !== undefined) return recorded;
      const declared = catalog.classifiers.get(classifier)?.declaration.options;
      const address = `${addressOf('classifier', classifier)}.${option}`;
      return declared && Object.hasOwn(declared, option) ? knownAfterApply(address) : option;
    },
    optionOf: (assigned) =>
      optionsById.get(assigned.classifierOption.id) ?? importedOption(assigned, sources),
    isGone(classifierId, optionId, at) {
      const known = existing.get(classifierId);
      return known !== undefined && known.at >= at && !known.options.has(optionId);
    },
  };
}

/**
 * Of a classifier whose id is imported and not confirmed yet, the options are known by their names alone: the answer
 * of an item that is assigned to one has them.
 */
function importedOption(
  { classifierId, classifierOption }: WireAssignment,
  { catalog, entries }: NameSources,
): { readonly classifier: string; readonly option: string } | undefined {
  const holder = entries.holderOf('classifier', classifierId);
  const imported = holder && entries.find('imported', holder);
  if (!imported) return undefined;
  const classifier = keyOf(imported.address);
  const declared = Object.entries(catalog.classifiers.get(classifier)?.declaration.options ?? {});
  const found = declared.find(([, { name }]) => name === classifierOption.name);
  return found && { classifier, option: found[0] };
}

type KnownIds = Pick<ResourceRecord, 'id' | 'options'>;

/**
 * The classifiers that keys stand for. One that was replaced, or is about to be, goes by its key and `(old)`, so
 * that what is still assigned to it can be told apart, shown and repeated.
 */
function knownClassifiers({ entries, isReplaced }: NameSources): ReadonlyMap<string, KnownIds> {
  const known = new Map<string, KnownIds>();
  for (const [address, records] of recordsByAddress(entries)) {
    const key = keyOf(address);
    const current = isReplaced?.(address) ? undefined : records.pop();
    for (const [at, record] of records.entries())
      known.set(at === 0 ? `${key} (old)` : `${key} (old ${at + 1})`, record);
    if (current) known.set(key, current);
  }
  return known;
}

/** Each in the order of its records: retired ones, oldest first, then an imported ID, and last the one in use. */
function recordsByAddress(entries: Entries): ReadonlyMap<Address, KnownIds[]> {
  const found = new Map<Address, KnownIds[]>();
  const records = (['retired', 'imported', 'live'] as const).flatMap((status) => entries.all(status));
  for (const record of records) {
    if (kindOf(record.address) !== 'classifier') continue;
    found.set(record.address, [...(found.get(record.address) ?? []), record]);
  }
  return found;
}

/** The options that each classifier was last answered with, or keeps although that answer left them out, and when. */
function answeredOptions(entries: Entries) {
  const records = [...entries.all('live'), ...entries.all('retired')];
  const known = new Map<string, { readonly at: string; readonly options: ReadonlySet<string> }>();
  for (const { id, at, answer, options = {} } of records) {
    if (!('classifierOptions' in answer)) continue;
    const answered = answer.classifierOptions.map((option) => option.id);
    known.set(id, { at, options: new Set([...answered, ...Object.values(options)]) });
  }
  return known;
}
