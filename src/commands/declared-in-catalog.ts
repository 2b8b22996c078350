import { loadCatalog } from '../catalog/load.ts';
import type { CommandContext } from './context.ts';

/** Tells whether the catalog declares an address; `undefined` throughout where the catalog is not valid now. */
export async function declaredInCatalog({
  catalogFolder,
  io,
}: CommandContext): Promise<(address: string) => boolean | undefined> {
  const loaded = await loadCatalog(catalogFolder, { cwd: io.cwd });
  if (!loaded.ok) return () => undefined;
  const { classifiers, items } = loaded.value;
  return (address) => {
    const [kind = '', key = ''] = address.split('.');
    return kind === 'item' ? items.has(key) : classifiers.has(key);
  };
}
