import type { Catalog } from '../../catalog/model.ts';
import { bindAttributes } from '../../environment/bind-attributes.ts';
import type { Environment } from '../../environment/model.ts';
import type { CommandContext } from '../context.ts';
import { loadEnvironmentOnly } from '../inputs.ts';
import { broken, type Looked, ok } from './finding.ts';

/** The environment's file, and whether it names all that the catalog needs. What is only missing there harms no check. */
export async function checkEnvironment(
  context: CommandContext,
  catalog: Catalog | undefined,
): Promise<Looked<Environment>> {
  const loaded = await loadEnvironmentOnly(context);
  const bound = loaded.ok && catalog ? bindAttributes(catalog, loaded.value) : loaded;
  const usable = loaded.ok ? { value: loaded.value } : {};
  if (!bound.ok) {
    const all = bound.diagnostics.length > 1 ? [`to see them all: trove validate${context.flags}`] : [];
    return { findings: [broken('environment', bound.diagnostics, ...all)], ...usable };
  }
  const { name, document } = bound.value;
  const file = document ? `${document.source.path} is valid` : 'it needs no file';
  return { findings: [ok('environment', `${name}: ${file}`)], ...usable };
}
