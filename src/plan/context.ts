import { type ProfilePoint, unknownProfile } from '../contract/profile.ts';
import { commandFlags } from '../environment/find.ts';
import type { Environment } from '../environment/model.ts';
import { entriesOf } from '../state/entries.ts';
import type { PlanBasis, PlanContext } from './basis.ts';
import { clientIds } from './client-id.ts';
import { heldOptions } from './held-options.ts';
import { namesFrom } from './names.ts';
import { replacedClassifiers } from './replace.ts';
import { suspectedRenames } from './suspects.ts';

interface ContextInputs extends Pick<PlanBasis, 'catalog' | 'state' | 'wishes' | 'selected'> {
  readonly environment: Environment;
}

export function planContext({ catalog, environment, state, wishes, selected }: ContextInputs): PlanContext {
  const { profile, idNamespace, attributes: attributeIds } = environment;
  const entries = entriesOf(state);
  const basis: PlanBasis = {
    flags: commandFlags({ catalog: catalog.folder, environment: environment.name }),
    catalog,
    state,
    entries,
    profile,
    isOpen: (point) => isOpen(point, environment),
    wishes,
    selected,
    names: namesFrom({ catalog, entries, attributeIds }),
    clientIds: clientIds(idNamespace, profile, state, catalog.items),
  };
  const options = heldOptions(basis);
  const replaced = replacedClassifiers(basis, options);
  return {
    ...basis,
    names: namesFrom({ catalog, entries, attributeIds, replaced }),
    replaced,
    options,
    suspects: suspectedRenames(basis),
    unavailable: new Map(),
  };
}

/** What the embedded service does is known; elsewhere a probe may have found that there is no way. */
function isOpen(point: ProfilePoint, { service, profile, probed }: Environment): boolean {
  const isProbed = probed[point] !== undefined && probed[point].value !== 'could-not-tell';
  return service.kind === 'remote' && profile[point] === unknownProfile[point] && !isProbed;
}
