import equal from 'fast-deep-equal';
import { type Address, type Catalog, kindOf } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import { type Fields, fields, groupOf, pathsOf } from '../resources/fields.ts';
import { declaredIn, kinds, knownFields } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import { standingOf } from '../state/entry.ts';
import type { State } from '../state/model.ts';
import { pendingMoves } from './moves.ts';
import { namesFrom } from './names.ts';

/** One environment with the catalog as it declares it, and what is recorded of it. */
export interface Side {
  readonly catalog: Catalog;
  readonly environment: Environment;
  readonly state: State | undefined;
}

/** A value that the two have differently. Null stands for none; `{$notManaged: true}`: left as the service has it. */
export interface ValueDifference {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** How an address stands on one side. What is retired is not in use, and so it is absent. */
export type Presence =
  | 'declared'
  | 'absent'
  | Exclude<ReturnType<typeof standingOf>, 'retired' | 'forgotten'>;

export interface AddressDifference {
  readonly address: Address;
  readonly one: Presence;
  readonly other: Presence;
  /** Empty where one side has nothing to compare with. */
  readonly fields: readonly ValueDifference[];
}

/** What two teams have differently. Where they are, and who, is no difference, and neither are ids and times. */
export interface EnvironmentsDifference {
  readonly settings: readonly ValueDifference[];
  readonly declared: readonly AddressDifference[];
  readonly recorded: readonly AddressDifference[];
}

const notManaged = { $notManaged: true } as const;

/** Pure: no network, no clock, and the same sides give the same differences, in the order of the addresses. */
export function compareEnvironments(one: Side, other: Side): EnvironmentsDifference {
  return {
    settings: valueDifferences(settingsOf(one), settingsOf(other)),
    declared: addressDifferences(declaredOf(one), declaredOf(other)),
    recorded: addressDifferences(recordedOf(one), recordedOf(other)),
  };
}

interface Standing {
  readonly presence: Presence;
  /** Undefined if they are unknown. */
  readonly fields: Fields | undefined;
}

type Standings = ReadonlyMap<Address, Standing>;

function settingsOf({ environment }: Side): Fields {
  const { profile, limits, allowInsecureHttp } = environment;
  return fields(
    ['profile', 'limits', 'allowInsecureHttp'],
    [
      ...pathsOf<unknown>('profile', Object.entries(profile)),
      ...pathsOf('limits', Object.entries(limits)),
      ['allowInsecureHttp', allowInsecureHttp],
    ],
  );
}

function declaredOf({ catalog }: Side): Standings {
  const standings = declaredIn(catalog).map(({ kind, address, declaration }) => {
    const { groups, values } = kinds[kind].desired(declaration);
    const lifecycle = pathsOf('lifecycle', Object.entries(declaration.lifecycle ?? {}));
    const all = fields([...groups, 'lifecycle'], [...values, ...lifecycle]);
    return [address, { presence: 'declared', fields: all }] as const;
  });
  return new Map(standings);
}

/** By the addresses that the next apply records; one that was replaced has what is in use. */
function recordedOf({ catalog, environment, state: recorded }: Side): Standings {
  if (!recorded) return new Map();
  const state = fold(recorded, pendingMoves(catalog, recorded));
  const names = namesFrom({ catalog, entries: entriesOf(state), attributeIds: environment.attributes });
  const standings = new Map<Address, Standing>();
  for (const entry of state.entries) {
    const presence = standingOf(entry);
    if (presence === 'retired' || presence === 'forgotten') continue;
    // An update with an unknown outcome may have changed the record.
    const isKnown = entry.status === 'live' && !entry.unconfirmed;
    const known = isKnown ? knownFields(kindOf(entry.address), entry, names) : undefined;
    standings.set(entry.address, { presence, fields: known });
  }
  return standings;
}

function addressDifferences(one: Standings, other: Standings): readonly AddressDifference[] {
  const absent: Standing = { presence: 'absent', fields: undefined };
  return [...new Set([...one.keys(), ...other.keys()])].sort().flatMap((address) => {
    const [first, second] = [one.get(address) ?? absent, other.get(address) ?? absent];
    const found = first.fields && second.fields && valueDifferences(first.fields, second.fields);
    if (found?.length === 0 && first.presence === second.presence) return [];
    return [{ address, one: first.presence, other: second.presence, fields: found ?? [] }];
  });
}

/** In both directions: what either side has, by its path. */
function valueDifferences(one: Fields, other: Fields): readonly ValueDifference[] {
  const paths = [...one.values.keys(), ...other.values.keys()];
  const withValues = new Set(paths.map(groupOf));
  const empty = [...one.groups, ...other.groups].filter((group) => !withValues.has(group));
  return [...new Set([...paths, ...empty])].flatMap((path) => {
    const [first, second] = [valueAt(one, path), valueAt(other, path)];
    return equal(first, second) ? [] : [{ path, one: first, other: second }];
  });
}

function valueAt({ groups, values }: Fields, path: string): unknown {
  return groups.has(groupOf(path)) ? (values.get(path) ?? null) : notManaged;
}
