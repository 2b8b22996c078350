import { resolve } from 'node:path';
import { type ExaminedCatalog, examineCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { environmentNames } from '../environment/find.ts';
import { checkTogether } from '../environment/join-inputs.ts';
import { examineEnvironment } from '../environment/load.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize as counted } from '../text/pluralize.ts';
import { countOf, limited } from '../text/problem-list.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { parseOutputs, writeOutputs } from './output/outputs.ts';
import { repositoryPath } from './output/repository-path.ts';
import { validateFormats } from './output/validate-formats.ts';

export interface ValidateOptions {
  readonly format?: readonly string[];
}

/** `trove validate`: everything that is wrong with the catalog and every environment, at once. */
export async function validate(context: CommandContext, { format }: ValidateOptions): Promise<ExitCode> {
  const outputs = parseOutputs(format, validateFormats);
  if (!outputs.ok) return refuse(context, outputs.diagnostics);
  const { catalogFolder, environmentName, io } = context;
  const catalog = await examineCatalog(catalogFolder, { cwd: io.cwd });
  const found = await environmentNames(resolve(io.cwd, catalogFolder));
  const names = [...new Set([...found, environmentName])];
  const problems = limited([...catalog.problems, ...(await environmentProblems(names, catalog, context))]);
  const verdict = verdictOn(catalog.catalog, names.length);
  const validated = { problems, verdict, catalogFolder, repositoryPath: repositoryPath(io) };
  const written = await writeOutputs(outputs.value, validateFormats, validated, context);
  if (problems.length > 0) {
    context.complain(problems);
    context.note(`\n${counted(countOf(problems), 'problem')} found.\n`);
  }
  if (!written.ok) return refuse(context, written.diagnostics);
  return problems.length > 0 ? exitCode.error : exitCode.done;
}

function verdictOn({ classifiers, items, fileCount, folder }: Catalog, environments: number): string {
  const declared = `${counted(classifiers.size, 'classifier')} and ${counted(items.size, 'item')}`;
  const read = `${counted(fileCount, 'file')}, ${counted(environments, 'environment')}`;
  return `${folder} is valid: ${declared} in ${read}.`;
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}

async function environmentProblems(
  names: readonly string[],
  catalog: ExaminedCatalog,
  { catalogFolder, io }: CommandContext,
): Promise<readonly Diagnostic[]> {
  const options = { catalogFolder, cwd: io.cwd };
  const examined = await Promise.all(names.map((name) => examineEnvironment(name, options)));
  return [...examined.flatMap(({ problems }) => problems), ...checkTogether(catalog, examined)];
}
