import type { Environment } from '../../environment/model.ts';
import { targetOf } from '../../plan/make-plan.ts';
import { createFileStore } from '../../state/file/store.ts';
import type { StateStore } from '../../state/store.ts';

/** Where the state of an environment is kept. */
export function stateStore(environment: Environment): StateStore {
  const { state, catalogFolder, service } = environment;
  return createFileStore({
    path: state.path,
    within: { path: catalogFolder, called: 'the catalog' },
    // Embedded services are one for each environment, and all look the same.
    ...(service.kind === 'remote' && { target: targetOf(environment) }),
  });
}
