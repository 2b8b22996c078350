import type { Catalog } from '../../catalog/model.ts';
import { joinInputs } from '../../environment/join-inputs.ts';
import type { Environment } from '../../environment/model.ts';
import { type Result, success } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { loadEnvironmentOnly } from '../invocation/inputs.ts';
import { broken, type Looked, ok } from './finding.ts';

/** The environment's file, and whether it names all that the catalog needs. What is only missing there harms no check. */
export async function checkEnvironment(
  context: CommandContext,
  catalog: Catalog | undefined,
): Promise<Looked<Environment>> {
  const loaded = await loadEnvironmentOnly(context);
  const joined = loaded.ok && catalog ? join(catalog, loaded.value, context) : loaded;
  const usable = loaded.ok ? { value: loaded.value } : {};
  if (!joined.ok) {
    const all = joined.diagnostics.length > 1 ? [`to see them all: trove plan${context.flags}`] : [];
    return { findings: [broken('environment', joined.diagnostics, ...all)], ...usable };
  }
  const { name, document } = joined.value;
  const file = document ? `${document.source.path} is valid` : 'it needs no file';
  return { findings: [ok('environment', `${name}: ${file}`)], ...usable };
}

function join(catalog: Catalog, environment: Environment, { io }: CommandContext): Result<Environment> {
  const joined = joinInputs(catalog, environment, { variables: io.env });
  return joined.ok ? success(joined.value.environment) : joined;
}
