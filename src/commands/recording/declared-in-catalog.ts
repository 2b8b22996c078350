import { loadCatalog } from '../../catalog/load.ts';
import { applyOverrides } from '../../environment/apply-overrides.ts';
import type { CommandContext } from '../invocation/context.ts';
import { loadEnvironmentOnly } from '../invocation/inputs.ts';

/** Tells whether the environment declares an address; `undefined` throughout where its catalog is not valid now. */
export async function declaredInCatalog(
  context: CommandContext,
): Promise<(address: string) => boolean | undefined> {
  const loaded = await loadCatalog(context.catalogFolder, { cwd: context.io.cwd });
  const environment = await loadEnvironmentOnly(context);
  if (!loaded.ok || !environment.ok) return () => undefined;
  const { catalog, problems } = applyOverrides(loaded.value, environment.value);
  if (problems.length > 0) return () => undefined;
  return (address) => {
    const [kind = '', key = ''] = address.split('.');
    return kind === 'item' ? catalog.items.has(key) : catalog.classifiers.has(key);
  };
}
