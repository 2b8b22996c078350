import { type Address, type Kind, kindOf } from '../../catalog/model.ts';
import { entriesOf } from '../entries.ts';
import type { State } from '../model.ts';

/** What a state knows of one address that a person may name an id for. */
export interface KnownId {
  /** `retired`: only the last one retired there, which is the one that would be revived. */
  readonly standing: 'live' | 'imported' | 'retired';
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
}

/** The ids of a state, both ways. Ids of options are told apart from ids of records: a service may number both. */
export interface RecordedIds {
  at(address: Address): KnownId | undefined;
  isPending(address: Address): boolean;
  /** Whose the id of a record is; also one that a pending create asked for, or was answered with. */
  holderOf(kind: Kind, id: string): Address | undefined;
  /** `classifier.rarity.rare` for the id of an option. */
  optionHolderOf(id: string): string | undefined;
}

export function recordedIds(state: State): RecordedIds {
  const entries = entriesOf(state);
  const asked = new Map(
    entries
      .all('pending')
      .flatMap(({ address, request, answer }) =>
        [request.body.id, answer?.id].map((id) => [`${kindOf(address)} ${id}`, address] as const),
      ),
  );
  const optionHolders = new Map(
    state.entries.flatMap((entry) =>
      Object.entries('options' in entry ? entry.options : {}).map(
        ([option, id]) => [id, `${entry.address}.${option}`] as const,
      ),
    ),
  );
  return {
    at(address) {
      const found =
        entries.find('live', address) ??
        entries.find('imported', address) ??
        entries.find('retired', address);
      return found && { standing: found.status, id: found.id, options: found.options ?? {} };
    },
    isPending: (address) => entries.find('pending', address) !== undefined,
    holderOf: (kind, id) => entries.holderOf(kind, id) ?? asked.get(`${kind} ${id}`),
    optionHolderOf: (id) => optionHolders.get(id),
  };
}
