import type { Address, Catalog } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import { commandFlags } from '../environment/command-flags.ts';
import type { Environment } from '../environment/model.ts';
import type { Names } from '../resources/kind.ts';
import type { PendingCreate, RetiredRecord, State } from '../state/model.ts';
import { type ClientIds, clientIds } from './client-id.ts';
import { namesFrom } from './names.ts';

/** Everything that planning one resource looks at. Read only. */
export interface PlanContext {
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
  readonly catalog: Catalog;
  readonly state: State | undefined;
  readonly profile: Profile;
  readonly names: Names;
  readonly clientIds: ClientIds;
  readonly pending: ReadonlyMap<Address, PendingCreate>;
  readonly retired: ReadonlyMap<Address, RetiredRecord>;
}

export function planContext(
  catalog: Catalog,
  environment: Environment,
  state: State | undefined,
): PlanContext {
  const { profile, idNamespace, attributes } = environment;
  return {
    flags: commandFlags({ catalog: catalog.folder, environment: environment.name }),
    catalog,
    state,
    profile,
    names: namesFrom({ catalog, state, attributeIds: attributes }),
    clientIds: clientIds(idNamespace, profile, state),
    pending: new Map(state?.pending.map((create) => [create.address, create])),
    retired: new Map(state?.retired.map((record) => [record.address, record])),
  };
}
