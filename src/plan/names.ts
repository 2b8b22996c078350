import { addressOf } from '../catalog/model.ts';
import type { WireAssignment } from '../contract/wire.ts';
import type { Names } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { knownAfterApply, type Reference } from '../resources/reference.ts';
import { answeredOptions, type KnownIds, knownClassifiers } from './known-classifiers.ts';
import type { NameSources } from './name-sources.ts';

/**
 * What keys and ids stand for, given what is recorded. An id that is neither declared nor recorded stands for
 * itself, so that a record assigned to something foreign can still be shown and repeated.
 */
export function namesFrom(sources: NameSources): Names {
  const { catalog, attributeIds } = sources;
  const classifiers = knownClassifiers(sources);
  const attributeKeys = new Map([...attributeIds].map(([key, id]) => [id, key]));
  const options = optionsById(classifiers);
  const existing = answeredOptions(sources.entries);
  return {
    attributeId: (key) => attributeIds.get(key) ?? key,
    attributeKey: (id) => attributeKeys.get(id) ?? id,
    classifierId(key): Reference {
      const address = addressOf('classifier', key);
      return classifiers.get(key)?.id ?? (catalog.classifiers.has(key) ? knownAfterApply(address) : key);
    },
    optionId(classifier, option): Reference {
      const recorded = recordedOptionId(classifiers.get(classifier), option);
      if (recorded !== undefined) return recorded;
      const declared = catalog.classifiers.get(classifier)?.declaration.options;
      const address = `${addressOf('classifier', classifier)}.${option}`;
      return declared && Object.hasOwn(declared, option) ? knownAfterApply(address) : option;
    },
    optionOf: (assigned) => options.get(assigned.classifierOption.id) ?? importedOption(assigned, sources),
    isGone(classifierId, optionId, at) {
      if (sources.gone?.has(optionId)) return true;
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
  const classifier = imported.address.slice('classifier.'.length);
  const declared = Object.entries(catalog.classifiers.get(classifier)?.declaration.options ?? {});
  const found = declared.find(([, { name }]) => name === classifierOption.name);
  return found && { classifier, option: found[0] };
}

function optionsById(classifiers: ReadonlyMap<string, KnownIds>) {
  const options = new Map<string, { classifier: string; option: string }>();
  for (const [classifier, record] of classifiers) {
    for (const [option, id] of Object.entries(record.options ?? {})) options.set(id, { classifier, option });
  }
  return options;
}
