import type { Entries } from '../state/entries.ts';
import type { AnswerNames } from './kind.ts';

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
