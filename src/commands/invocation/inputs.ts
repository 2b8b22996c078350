import { loadCatalog } from '../../catalog/load.ts';
import { type Inputs, joinInputs } from '../../environment/join-inputs.ts';
import { loadEnvironment } from '../../environment/load.ts';
import type { Environment } from '../../environment/model.ts';
import { failure, type Result } from '../../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

/** Reads the catalog and the chosen environment, and tells what is wrong with both at once. */
export async function loadInputs(context: CommandContext): Promise<Result<Inputs>> {
  const { catalogFolder, io } = context;
  const [catalog, environment] = await Promise.all([
    loadCatalog(catalogFolder, { cwd: io.cwd }),
    loadEnvironmentOnly(context),
  ]);
  const problems = [catalog, environment].flatMap((result) => (result.ok ? [] : result.diagnostics));
  if (!catalog.ok || !environment.ok) return failure(...problems);
  return joinInputs(catalog.value, environment.value, { variables: io.env });
}

/** The chosen environment without its catalog. */
export function loadEnvironmentOnly({
  catalogFolder,
  environmentName,
  io,
}: CommandContext): Promise<Result<Environment>> {
  return loadEnvironment(environmentName, { catalogFolder, cwd: io.cwd });
}
