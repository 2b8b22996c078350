import { resolve } from 'node:path';
import { loadCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { checkTogether } from '../environment/check-together.ts';
import { credentialVariables } from '../environment/credential-variables.ts';
import { environmentNames } from '../environment/find.ts';
import { loadEnvironment } from '../environment/load.ts';
import { counted } from '../render/counted.ts';
import { escapeTerminal } from '../render/escape.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** `trove validate`: everything that is wrong with the catalog and every environment, at once. */
export async function validate(context: CommandContext): Promise<ExitCode> {
  const { catalogFolder, environmentName, io } = context;
  const catalog = await loadCatalog(catalogFolder, { cwd: io.cwd });
  const found = await environmentNames(resolve(io.cwd, catalogFolder));
  const names = [...new Set([...found, environmentName])];
  const problems = [
    ...(catalog.ok ? [] : catalog.diagnostics),
    ...(await environmentProblems(names, catalog.ok ? catalog.value : undefined, context)),
  ];
  if (problems.length > 0 || !catalog.ok) {
    context.complain(problems);
    context.note(`\n${counted(problems.length, 'problem')} found.\n`);
    return exitCode.error;
  }
  const { classifiers, items, fileCount, folder } = catalog.value;
  const declared = `${counted(classifiers.size, 'classifier')} and ${counted(items.size, 'item')}`;
  const read = `${counted(fileCount, 'file')}, ${counted(names.length, 'environment')}`;
  context.print(`${escapeTerminal(folder)} is valid: ${declared} in ${read}.\n`);
  return exitCode.done;
}

async function environmentProblems(
  names: readonly string[],
  catalog: Catalog | undefined,
  { catalogFolder, io }: CommandContext,
): Promise<readonly Diagnostic[]> {
  const options = { catalogFolder, cwd: io.cwd };
  const results = await Promise.all(names.map((name) => loadEnvironment(name, options)));
  const problems = results.flatMap((result) => (result.ok ? [] : result.diagnostics));
  if (catalog === undefined) return problems;
  const environments = results.flatMap((result) => (result.ok ? [result.value] : []));
  const credentials = await credentialVariables(options);
  // A file that can't be read for them is complained about already.
  const known = credentials.ok ? credentials.value : new Map();
  return [...problems, ...checkTogether(catalog, environments, known)];
}
