import { addressOf, type Catalog } from '../catalog/model.ts';
import type { Names } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { knownAfterApply, type Reference } from '../resources/reference.ts';
import type { ResourceRecord, State } from '../state/model.ts';

export interface NameSources {
  readonly catalog: Catalog;
  /** Retired records count too: what is assigned to them, or revives them, goes by their keys. */
  readonly state: Pick<State, 'resources' | 'retired'> | undefined;
  /** Attribute key to the id of its definition in this environment. */
  readonly attributeIds: ReadonlyMap<string, string>;
}

/**
 * What keys and ids stand for, given what is recorded. An id that is neither declared nor recorded stands for
 * itself, so that a record assigned to something foreign can still be shown and repeated.
 */
export function namesFrom({ catalog, state, attributeIds }: NameSources): Names {
  const records = classifierRecords(state);
  const attributeKeys = new Map([...attributeIds].map(([key, id]) => [id, key]));
  const options = recordedOptions(records);
  return {
    attributeId: (key) => attributeIds.get(key) ?? key,
    attributeKey: (id) => attributeKeys.get(id) ?? id,
    classifierId(key): Reference {
      const address = addressOf('classifier', key);
      return records.get(address)?.id ?? (catalog.classifiers.has(key) ? knownAfterApply(address) : key);
    },
    optionId(classifier, option): Reference {
      const address = addressOf('classifier', classifier);
      const recorded = recordedOptionId(records.get(address), option);
      if (recorded !== undefined) return recorded;
      const declared = catalog.classifiers.get(classifier)?.declaration.options;
      return declared && Object.hasOwn(declared, option) ? knownAfterApply(`${address}.${option}`) : option;
    },
    optionOf: (id) => options.get(id),
  };
}

/** By address; a live record outweighs one that was retired at the same address. */
function classifierRecords(state: NameSources['state']): ReadonlyMap<string, ResourceRecord> {
  if (!state) return new Map();
  const live = Object.entries(state.resources).filter(([address]) => address.startsWith('classifier.'));
  const retired = state.retired.filter(({ address }) => address.startsWith('classifier.'));
  return new Map([...retired.map((record) => [record.address, record] as const), ...live]);
}

function recordedOptions(records: ReadonlyMap<string, ResourceRecord>) {
  const options = new Map<string, { classifier: string; option: string }>();
  for (const [address, record] of records) {
    const classifier = address.slice('classifier.'.length);
    for (const [option, id] of Object.entries(record.options ?? {})) options.set(id, { classifier, option });
  }
  return options;
}
