import { loadCatalog } from '../../catalog/load.ts';
import type { Catalog } from '../../catalog/model.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import type { CommandContext } from '../invocation/context.ts';
import { broken, type Looked, ok } from './finding.ts';

export async function checkCatalog({ catalogFolder, flags, io }: CommandContext): Promise<Looked<Catalog>> {
  const loaded = await loadCatalog(catalogFolder, { cwd: io.cwd });
  if (!loaded.ok) {
    const all = loaded.diagnostics.length > 1 ? [`to see them all: trove validate${flags}`] : [];
    return { findings: [broken('catalog', loaded.diagnostics, ...all)] };
  }
  const { classifiers, items, fileCount, folder } = loaded.value;
  const declared = `${counted(classifiers.size, 'classifier')} and ${counted(items.size, 'item')}`;
  const message = `${folder} is valid: ${declared} in ${counted(fileCount, 'file')}`;
  return { findings: [ok('catalog', message)], value: loaded.value };
}
