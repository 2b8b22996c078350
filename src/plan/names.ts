import { addressOf, type Catalog } from '../catalog/model.ts';
import type { Names } from '../resources/kind.ts';
import { knownAfterApply, type Reference } from '../resources/reference.ts';
import type { State } from '../state/model.ts';

export interface NameSources {
  readonly catalog: Catalog;
  readonly resources: State['resources'];
  /** Attribute key to the id of its definition in this environment. */
  readonly attributeIds: ReadonlyMap<string, string>;
}

/**
 * What keys and ids stand for, given what is recorded. An id that is neither declared nor recorded stands for
 * itself, so that a record assigned to something foreign can still be shown and repeated.
 */
export function namesFrom({ catalog, resources, attributeIds }: NameSources): Names {
  const attributeKeys = new Map([...attributeIds].map(([key, id]) => [id, key]));
  const options = recordedOptions(resources);
  return {
    attributeId: (key) => attributeIds.get(key) ?? key,
    attributeKey: (id) => attributeKeys.get(id) ?? id,
    classifierId(key): Reference {
      const address = addressOf('classifier', key);
      return resources[address]?.id ?? (catalog.classifiers.has(key) ? knownAfterApply(address) : key);
    },
    optionId(classifier, option): Reference {
      const address = addressOf('classifier', classifier);
      const recorded = resources[address]?.options?.[option];
      if (recorded !== undefined) return recorded;
      const declared = catalog.classifiers.get(classifier)?.declaration.options;
      return declared && Object.hasOwn(declared, option) ? knownAfterApply(`${address}.${option}`) : option;
    },
    optionOf: (id) => options.get(id),
  };
}

function recordedOptions(resources: State['resources']) {
  const options = new Map<string, { classifier: string; option: string }>();
  for (const [address, record] of Object.entries(resources)) {
    const classifier = address.slice(address.indexOf('.') + 1);
    for (const [option, id] of Object.entries(record.options ?? {})) options.set(id, { classifier, option });
  }
  return options;
}
