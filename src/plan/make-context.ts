import { type ProfilePoint, unknownProfile } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';
import { entriesOf } from '../state/entries.ts';
import { clientIds } from './client-id.ts';
import type { PlanBasis, PlanContext } from './context.ts';
import { heldOptions } from './held-options.ts';
import { formerAddresses } from './moves.ts';
import { namesFrom } from './names.ts';
import { suspectedRenames } from './rename-detection.ts';
import { replacedClassifiers } from './replace.ts';

interface ContextInputs extends Pick<PlanBasis, 'catalog' | 'state' | 'planOptions' | 'selected'> {
  readonly environment: Environment;
}

export function planContext({
  catalog,
  environment,
  state,
  planOptions,
  selected,
}: ContextInputs): PlanContext {
  const { profile, idNamespace, attributes: attributeIds } = environment;
  const entries = entriesOf(state);
  const basis: PlanBasis = {
    catalog,
    state,
    entries,
    profile,
    isOpen: (point) => isOpen(point, environment),
    planOptions,
    selected,
    formerAddresses: formerAddresses(catalog),
    names: namesFrom({ catalog, entries, attributeIds }),
    clientIds: clientIds(idNamespace, profile, state, catalog.items),
  };
  const held = heldOptions(basis);
  const replaced = replacedClassifiers(basis, held);
  return {
    ...basis,
    names: namesFrom({ catalog, entries, attributeIds, replaced }),
    replaced,
    heldOptions: held,
    suspects: suspectedRenames(basis),
    unavailable: new Map(),
  };
}

/** What the embedded service does is known; elsewhere a probe may have found that there is no way. */
function isOpen(point: ProfilePoint, { service, profile, probed }: Environment): boolean {
  const isProbed = probed[point] !== undefined && probed[point].value !== 'could-not-tell';
  return service.kind === 'remote' && profile[point] === unknownProfile[point] && !isProbed;
}
