import { loadCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { bindAttributes } from '../environment/bind-attributes.ts';
import { loadEnvironment } from '../environment/load.ts';
import type { Environment } from '../environment/model.ts';
import { failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

export interface Inputs {
  readonly catalog: Catalog;
  /** Every attribute that the catalog uses has an id in it. */
  readonly environment: Environment;
}

/** Reads the catalog and the chosen environment, and tells what is wrong with both at once. */
export async function loadInputs(context: CommandContext): Promise<Result<Inputs>> {
  const { catalogFolder, io } = context;
  const [catalog, environment] = await Promise.all([
    loadCatalog(catalogFolder, { cwd: io.cwd }),
    loadEnvironmentOnly(context),
  ]);
  const problems = [catalog, environment].flatMap((result) => (result.ok ? [] : result.diagnostics));
  if (!catalog.ok || !environment.ok) return failure(...problems);
  return inputsOf(catalog.value, environment.value);
}

/** What one environment makes of the catalog that all share. */
export function inputsOf(catalog: Catalog, environment: Environment): Result<Inputs> {
  const bound = bindAttributes(catalog, environment);
  return bound.ok ? success({ catalog, environment: bound.value }) : bound;
}

/** The chosen environment without its catalog. */
export function loadEnvironmentOnly({
  catalogFolder,
  environmentName,
  io,
}: CommandContext): Promise<Result<Environment>> {
  return loadEnvironment(environmentName, { catalogFolder, cwd: io.cwd });
}
