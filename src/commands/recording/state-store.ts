import type { Environment } from '../../environment/model.ts';
import { createFileStore } from '../../state/file/store.ts';
import type { StateStore } from '../../state/store.ts';

/** Where the state of an environment is kept. */
export function stateStore({ state, catalogFolder }: Environment): StateStore {
  return createFileStore({ path: state.path, within: { path: catalogFolder, called: 'the catalog' } });
}
