import type { Address, Kind } from '../catalog/model.ts';
import { IdHolders } from './id-holders.ts';
import type { ResourceRecord, State } from './model.ts';

/** What a state knows of one address that a person may name an id for. */
export interface KnownId {
  /** `retired`: only the last one retired there, which is the one that would be revived. */
  readonly standing: 'recorded' | 'imported' | 'retired';
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

export function recordedIds({ resources, retired, pending, imported }: State): RecordedIds {
  const live = Object.entries(resources) as [Address, ResourceRecord][];
  // What stands later outweighs what stands before it.
  const known = new Map<Address, KnownId>([
    ...retired.map((record) => [record.address, knownId('retired', record)] as const),
    ...imported.map((record) => [record.address, knownId('imported', record)] as const),
    ...live.map(([address, record]) => [address, knownId('recorded', record)] as const),
  ]);
  const all = [
    ...retired.map((record) => [record.address, record] as const),
    ...imported.map((record) => [record.address, record] as const),
    ...live,
  ];
  const waiting = pending.flatMap(({ address, request, answer }) =>
    [request.body.id, answer?.id].flatMap((id) => (typeof id === 'string' ? [[id, address] as const] : [])),
  );
  const holders = new IdHolders();
  for (const [id, address] of [...waiting, ...all.map(([at, { id }]) => [id, at] as const)])
    holders.set(id, address);
  const optionHolders = new Map(
    all.flatMap(([address, { options = {} }]) =>
      Object.entries(options).map(([option, id]) => [id, `${address}.${option}`] as const),
    ),
  );
  const waitingAddresses = new Set(pending.map(({ address }) => address));
  return {
    at: (address) => known.get(address),
    isPending: (address) => waitingAddresses.has(address),
    holderOf: (kind, id) => holders.of(kind, id),
    optionHolderOf: (id) => optionHolders.get(id),
  };
}

function knownId(
  standing: KnownId['standing'],
  { id, options = {} }: Pick<ResourceRecord, 'id' | 'options'>,
): KnownId {
  return { standing, id, options };
}
