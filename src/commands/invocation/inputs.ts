import { examineCatalog } from '../../catalog/load.ts';
import { checkTogether, type Inputs, joinInputs } from '../../environment/join-inputs.ts';
import { examineEnvironment, loadEnvironment } from '../../environment/load.ts';
import type { Environment } from '../../environment/model.ts';
import { failure, type Result } from '../../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

/** Reads the catalog and the chosen environment, and tells what is wrong with both at once. */
export async function loadInputs(context: CommandContext): Promise<Result<Inputs>> {
  const { catalogFolder, environmentName, io } = context;
  const [catalog, examined] = await Promise.all([
    examineCatalog(catalogFolder, { cwd: io.cwd }),
    examineEnvironment(environmentName, { catalogFolder, cwd: io.cwd }),
  ]);
  const { environment } = examined;
  const problems = [...catalog.problems, ...examined.problems];
  if (environment && problems.length === 0)
    return joinInputs(catalog.catalog, environment, { variables: io.env });
  return failure(...problems, ...checkTogether(catalog, [examined]));
}

/** The chosen environment without its catalog. */
export function loadEnvironmentOnly({
  catalogFolder,
  environmentName,
  io,
}: CommandContext): Promise<Result<Environment>> {
  return loadEnvironment(environmentName, { catalogFolder, cwd: io.cwd });
}
