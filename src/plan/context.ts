import type { Address, Catalog, Kind } from '../catalog/model.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { Names } from '../resources/fields.ts';
import type { Entries } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import type { ClientIds } from './client-id.ts';
import type { PlanOptions } from './options.ts';
import type { Blocker, HeldOption } from './reason.ts';

/** What is known before anything is compared. Read only. */
export interface PlanBasis {
  readonly catalog: Catalog;
  readonly state: State | undefined;
  /** Of the state. */
  readonly entries: Entries;
  readonly profile: Profile;
  /** Whether it is unknown what the service does at this point. */
  readonly isOpen: (point: ProfilePoint) => boolean;
  readonly names: Names;
  readonly clientIds: ClientIds;
  readonly planOptions: PlanOptions;
  /** The addresses that a resource had before, by the catalog's `moved`, the latest first. */
  readonly formerAddresses: (address: Address) => readonly Address[];
  /** What the plan renames, by the new address. */
  readonly renamed: ReadonlySet<string>;
  /** Kinds with a pending create. */
  readonly unsettled: ReadonlySet<Kind>;
  /** False for what `--target` leaves out. */
  readonly selected: (address: Address) => boolean;
}

/** Everything that planning one resource looks at. Read only. */
export interface PlanContext extends PlanBasis {
  /** Options of recorded classifiers by their addresses, `classifier.rarity.common`. */
  readonly options: ReadonlyMap<string, PlannedOption>;
  /** New and vanished addresses that look like one another: they are neither created nor retired. */
  readonly suspects: ReadonlyMap<Address, Blocker>;
  /**
   * Classifiers that this plan replaces (what refers to their options is moved over), and those that have no id to
   * refer to, and get none from it.
   */
  readonly classifiers: ReadonlyMap<Address, 'replace' | 'blocked' | 'unknown'>;
}

/** What becomes of one option of a recorded classifier. */
export interface PlannedOption {
  /** Not sent: an item would lose its option, or two options would have one name. */
  readonly held?: HeldOption | undefined;
  /** What the update of this plan does to it. The ID of a renamed one may change with that. */
  readonly sent?: 'added' | 'renamed' | undefined;
  /** Its recorded name, if its declared name is not sent and one of the two is that of another option. */
  readonly unclear?: string | undefined;
}
