import type { Kind } from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import type { Entries } from '../state/entries.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { Fields } from './fields.ts';
import type { AnswerNames, Names } from './kind.ts';
import { kinds } from './registry.ts';

/**
 * What is known of a record: its last answer, without the assignments that a later answer has made untrue. An option
 * that its classifier no longer has is nobody's, and an update that repeats its id would be refused.
 */
export function knownFields(
  kind: Kind,
  { answer, at, options }: Pick<ResourceRecord, 'answer' | 'at' | 'options'>,
  names: Names,
): Fields {
  if (kind === 'classifier') return kinds.classifier.answered(answer, names, options);
  const item = answer as WireItem;
  const classifiers = item.classifiers.filter(
    ({ classifierId, classifierOption }) => !names.isGone(classifierId, classifierOption.id, at),
  );
  return kinds.item.answered({ ...item, classifiers }, names);
}

/**
 * What ids in recorded answers stand for, from what is recorded alone. `attributeIds` maps attribute keys to the
 * ids of an environment. An id that nothing names stands for itself.
 */
export function recordedNames(entries: Entries, attributeIds: ReadonlyMap<string, string>): AnswerNames {
  const attributeKeys = new Map([...attributeIds].map(([key, id]) => [id, key]));
  const records = [...entries.all('retired'), ...entries.all('live')];
  const options = new Map(
    records.flatMap(({ address, options = {} }) =>
      Object.entries(options).map(([option, id]) => {
        return [id, { classifier: address.slice('classifier.'.length), option }] as const;
      }),
    ),
  );
  return {
    attributeKey: (id) => attributeKeys.get(id) ?? id,
    optionOf: ({ classifierOption }) => options.get(classifierOption.id),
  };
}
