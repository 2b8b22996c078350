import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findCatalogFiles } from '../catalog/find.ts';
import { commandFlags, findEnvironment } from '../environment/find.ts';
import { readEnvironment } from '../environment/load.ts';
import { renderInit } from '../render/command-texts.ts';
import { reasonOf } from '../state/file/io-failure.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { SourceText } from '../text/source.ts';
import { converse, hasTerminal } from './asking/questions.ts';
import { askWishes } from './init/ask-wishes.ts';
import { environmentPath, type FirstFile, firstFiles } from './init/first-files.ts';
import { type InitOptions, type InitWishes, wishesOf } from './init/wishes.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';

/** `trove init`: a first catalog that is valid as it is. What is there already is never overwritten. */
export async function init(
  context: CommandContext,
  folder: string | undefined,
  options: InitOptions,
): Promise<ExitCode> {
  const named = context.environmentName === 'local' ? undefined : context.environmentName;
  const wishes = await wishesFor(context, folder, options, named);
  if (typeof wishes === 'number') return wishes;
  const catalogFolder = catalogIn(wishes.folder, context);
  const files = firstFiles({ catalogFolder, ...wishes });
  const problems = await problemsWith(wishes, catalogFolder, files, context);
  const written = problems.length > 0 ? failure(...problems) : await writeNew(files, context);
  if (!written.ok) {
    context.complain(written.diagnostics);
    return exitCode.error;
  }
  const flagsFor = (environment: string) => commandFlags({ catalog: catalogFolder, environment });
  context.print(
    renderInit({
      ...written.value,
      local: flagsFor('local'),
      environment: wishes.environment && flagsFor(wishes.environment.name),
    }),
  );
  return exitCode.done;
}

function catalogIn(folder: string, { catalogFolder }: CommandContext): string {
  return isAbsolute(catalogFolder) ? catalogFolder : join(folder, catalogFolder);
}

async function wishesFor(
  context: CommandContext,
  folder: string | undefined,
  options: InitOptions,
  named: string | undefined,
): Promise<InitWishes | ExitCode> {
  const existing = folder === undefined ? [] : await existingCatalog(catalogIn(folder, context), context);
  if (existing.length > 0) {
    context.complain(existing);
    return exitCode.error;
  }
  if (!hasTerminal(context)) {
    const wishes = wishesOf(options, folder, named);
    if (wishes.ok) return wishes.value;
    context.complain(wishes.diagnostics);
    return exitCode.error;
  }
  const folderProblem = async (answer: string) => {
    const [problem] = await existingCatalog(catalogIn(answer, context), context);
    return problem && `${problem.message}: ${problem.subject}`;
  };
  const talk = await converse(context, (ask) => askWishes(ask, { options, folder, named }, folderProblem));
  if (talk.kind === 'answered') return talk.value;
  context.note('\nNothing was written.\n');
  return talk.kind === 'interrupted' ? exitCode.interrupted : exitCode.error;
}

/** Everything that speaks against writing, told before anything is written. */
async function problemsWith(
  { environment }: InitWishes,
  catalogFolder: string,
  files: readonly FirstFile[],
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  const folder = resolve(context.io.cwd, catalogFolder);
  const existing = await existingCatalog(catalogFolder, context);
  if (existing.length > 0 || !environment) return existing;
  const { name } = environment;
  const path = environmentPath(catalogFolder, name);
  const there = await findEnvironment(name, folder);
  if (there.kind === 'file') return [environmentExists(path)];
  if (there.kind === 'problem' && there.problem.rule !== 'unknown-environment') return [there.problem];
  const text = files.find((file) => file.path === path)?.text ?? '';
  const read = await readEnvironment(new SourceText(path, text), { name, folder, digest: '' });
  return read.ok ? [] : read.diagnostics;
}

async function existingCatalog(
  catalogFolder: string,
  { io }: CommandContext,
): Promise<readonly Diagnostic[]> {
  const { files } = await findCatalogFiles(resolve(io.cwd, catalogFolder), io.cwd);
  const flags = commandFlags({ catalog: catalogFolder, environment: 'local' });
  return files.slice(0, 1).map(({ shown }) => catalogExists(shown, flags));
}

/** Files that are there already stay as they are. */
async function writeNew(
  files: readonly FirstFile[],
  { io }: CommandContext,
): Promise<Result<{ readonly written: readonly string[]; readonly kept: readonly string[] }>> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const target = resolve(io.cwd, path);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text, { flag: 'wx' });
      written.push(path);
    } catch (cause) {
      // Also said where a file stands in the place of a folder.
      const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST' && (await isFile(target));
      if (isThere) kept.push(path);
      else return failure(unwritable(path, cause));
    }
  }
  return success({ written, kept });
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

function unwritable(path: string, cause: unknown): Diagnostic {
  const message = `the file could not be written: ${reasonOf(cause)}`;
  return error('unwritable-file', message, {
    subject: path,
    hint: 'put that right and run the command again',
  });
}

function catalogExists(shown: string, flags: string): Diagnostic {
  const hint = `it is left as it is; see what it declares: trove validate${flags}`;
  return error('catalog-exists', 'there is a catalog already', { subject: shown, hint });
}

function environmentExists(path: string): Diagnostic {
  const hint = 'it is left as it is; name another environment with -e, or leave --base-url and --team-id out';
  return error('environment-exists', 'there is an environment of that name already', { subject: path, hint });
}
