import type { Address, Catalog } from '../catalog/model.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { Names } from '../resources/kind.ts';
import type { Entries } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import type { ClientIds } from './client-id.ts';
import type { PlanOptions } from './options.ts';
import type { HeldOption } from './reason.ts';

/** What is known before anything is compared. Read only. */
export interface PlanBasis {
  readonly catalog: Catalog;
  readonly state: State | undefined;
  /** Of the state. */
  readonly entries: Entries;
  readonly profile: Profile;
  /** Whether nobody has said or found out yet what the service does at this point. */
  readonly isOpen: (point: ProfilePoint) => boolean;
  readonly names: Names;
  readonly clientIds: ClientIds;
  readonly planOptions: PlanOptions;
  /** The addresses that a resource had before, by the catalog's `moved`, the latest first. */
  readonly formerAddresses: (address: Address) => readonly Address[];
  /** False for what `--target` leaves out. */
  readonly selected: (address: Address) => boolean;
}

/** Everything that planning one resource looks at. Read only. */
export interface PlanContext extends PlanBasis {
  /** Classifiers that this plan creates anew: what refers to their options is moved over. */
  readonly replaced: ReadonlySet<Address>;
  readonly heldOptions: HeldOptions;
  /** Classifiers that have no id to refer to, and get none from this plan, by what they are. */
  readonly unavailable: ReadonlyMap<Address, 'blocked' | 'unknown'>;
  /** Addresses that look like another one which came or went with them, by that other address. */
  readonly suspects: ReadonlyMap<Address, Address>;
}

/** Options of recorded classifiers by their addresses, `classifier.rarity.common`. */
export interface HeldOptions {
  /** Not sent: an item would lose its option, or two options would have one name. */
  readonly held: ReadonlyMap<string, HeldOption>;
  /** Added by the update of this plan. */
  readonly added: ReadonlySet<string>;
  /** Renamed by the update of this plan: their IDs may change with that. */
  readonly renamed: ReadonlySet<string>;
  /** The recorded names of options whose declared names are not sent, and are those of others. */
  readonly unclear: ReadonlyMap<string, string>;
}
