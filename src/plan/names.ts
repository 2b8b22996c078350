import { addressOf, type Catalog } from '../catalog/model.ts';
import type { Names } from '../resources/kind.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { knownAfterApply, type Reference } from '../resources/reference.ts';
import type { ResourceRecord, State } from '../state/model.ts';

export interface NameSources {
  readonly catalog: Catalog;
  /** Retired records count too: what is assigned to them, or revives them, goes by their keys. */
  readonly state: Pick<State, 'resources' | 'retired' | 'imported'> | undefined;
  /** Attribute key to the id of its definition in this environment. */
  readonly attributeIds: ReadonlyMap<string, string>;
  /** Classifiers whose ids, and whose options' ids, come from a create that is planned. */
  readonly replaced?: ReadonlySet<string>;
  /** Options (`classifier.rarity.common`) whose ids come from an update that is planned. */
  readonly renewed?: ReadonlySet<string>;
  /** Ids of options that a planned update lets go of. */
  readonly gone?: ReadonlySet<string>;
}

/**
 * What keys and ids stand for, given what is recorded. An id that is neither declared nor recorded stands for
 * itself, so that a record assigned to something foreign can still be shown and repeated.
 */
export function namesFrom(sources: NameSources): Names {
  const { catalog, attributeIds } = sources;
  const records = classifierRecords(sources);
  const attributeKeys = new Map([...attributeIds].map(([key, id]) => [id, key]));
  const options = recordedOptions(records);
  const existing = existingOptions(sources.state);
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
    isGone(classifierId, optionId, at) {
      if (sources.gone?.has(optionId)) return true;
      const known = existing.get(classifierId);
      return known !== undefined && known.at >= at && !known.options.has(optionId);
    },
  };
}

type KnownIds = Pick<ResourceRecord, 'id' | 'options'>;

/** By address; a live record outweighs an imported id, and that one a record retired at the same address. */
function classifierRecords({ state, replaced, renewed }: NameSources): ReadonlyMap<string, KnownIds> {
  if (!state) return new Map();
  const known: readonly (readonly [string, KnownIds])[] = [
    ...[...state.retired, ...state.imported].map((record) => [record.address, record] as const),
    ...Object.entries(state.resources),
  ];
  return new Map(
    known
      .filter(([address]) => address.startsWith('classifier.') && !replaced?.has(address))
      .map(([address, record]) => [
        address,
        renewed?.size ? withoutRenewed(address, record, renewed) : record,
      ]),
  );
}

function withoutRenewed(
  address: string,
  { id, options = {} }: KnownIds,
  renewed: ReadonlySet<string>,
): KnownIds {
  const kept = Object.entries(options).filter(([option]) => !renewed.has(`${address}.${option}`));
  return { id, options: Object.fromEntries(kept) };
}

function recordedOptions(records: ReadonlyMap<string, KnownIds>) {
  const options = new Map<string, { classifier: string; option: string }>();
  for (const [address, record] of records) {
    const classifier = address.slice('classifier.'.length);
    for (const [option, id] of Object.entries(record.options ?? {})) options.set(id, { classifier, option });
  }
  return options;
}

/** The options that each classifier was last answered with, by its id. */
function existingOptions(state: NameSources['state']) {
  const records = [...Object.values(state?.resources ?? {}), ...(state?.retired ?? [])];
  const known = new Map<string, { readonly at: string; readonly options: ReadonlySet<string> }>();
  for (const { id, at, answer } of records) {
    if (!('classifierOptions' in answer)) continue;
    known.set(id, { at, options: new Set(answer.classifierOptions.map((option) => option.id)) });
  }
  return known;
}
