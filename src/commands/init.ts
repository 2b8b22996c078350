import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findCatalogFiles } from '../catalog/find.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import { commandFlags, findEnvironment, nameProblem } from '../environment/find.ts';
import { readEnvironment } from '../environment/load.ts';
import { renderInit } from '../render/command-texts.ts';
import { reasonOf } from '../state/file/disk.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { SourceText } from '../text/source.ts';
import type { CommandContext } from './context.ts';
import { settingProblem } from './env-settings.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { environmentPath, type FirstEnvironment, type FirstFile, firstFiles } from './first-files.ts';
import { type Ask, converse, hasTerminal } from './prompt.ts';

interface InitOptions {
  readonly example?: boolean;
  readonly empty?: boolean;
  readonly baseUrl?: string;
  readonly teamId?: string;
}

/** What is to be written: from the command line and, on a terminal, from a person. */
interface InitAnswers {
  /** The project: the catalog goes below it. */
  readonly folder: string;
  readonly example: boolean;
  /** Undefined: only the embedded service, for now. */
  readonly environment: FirstEnvironment | undefined;
}

/** `trove init`: a first catalog that is valid as it is. What is there already is never overwritten. */
export async function init(
  context: CommandContext,
  folder: string | undefined,
  options: InitOptions,
): Promise<ExitCode> {
  if (folder !== undefined) await refuseExisting(catalogIn(folder, context), context);
  const named = context.environmentName === 'local' ? undefined : context.environmentName;
  const given = { folder, options, named };
  const answers = hasTerminal(context) ? await askAnswers(context, given) : answersIn(given);
  const catalogFolder = catalogIn(answers.folder, context);
  const files = firstFiles({ catalogFolder, ...answers });
  await refuseExisting(catalogFolder, context);
  if (answers.environment) await checkEnvironment(answers.environment.name, catalogFolder, files, context);
  const written = await writeNew(files, context);
  const flagsFor = (environment: string) => commandFlags({ catalog: catalogFolder, environment });
  const environment = answers.environment && flagsFor(answers.environment.name);
  context.print(renderInit({ ...written, local: flagsFor('local'), environment }));
  return exitCode.done;
}

function catalogIn(folder: string, { catalogFolder }: CommandContext): string {
  return isAbsolute(catalogFolder) ? catalogFolder : join(folder, catalogFolder);
}

async function refuseExisting(catalogFolder: string, context: CommandContext): Promise<void> {
  const problem = await existingCatalog(catalogFolder, context);
  if (problem) fail([problem]);
}

async function existingCatalog(
  catalogFolder: string,
  { io }: CommandContext,
): Promise<Diagnostic | undefined> {
  const { files } = await findCatalogFiles(resolve(io.cwd, catalogFolder), io.cwd);
  const [first] = files;
  const flags = commandFlags({ catalog: catalogFolder, environment: 'local' });
  const hint = `it is left as it is; see what it declares: trove validate${flags}`;
  return first && error('catalog-exists', 'there is a catalog already', { subject: first.shown, hint });
}

/** Refuses an environment that is there or would not be valid, before anything is written. */
async function checkEnvironment(
  name: string,
  catalogFolder: string,
  files: readonly FirstFile[],
  { io }: CommandContext,
): Promise<void> {
  const folder = resolve(io.cwd, catalogFolder);
  const path = environmentPath(catalogFolder, name);
  const there = await findEnvironment(name, folder);
  if (there.kind === 'file') fail([environmentExists(path)]);
  if (there.kind === 'problem' && there.problem.rule !== 'unknown-environment') fail([there.problem]);
  const text = files.find((file) => file.path === path)?.text ?? '';
  orFail(await readEnvironment(new SourceText(path, text), { name, folder, digest: '' }));
}

/** Files that are there already stay as they are. */
async function writeNew(files: readonly FirstFile[], { io }: CommandContext) {
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
      else fail([unwritable(path, cause)]);
    }
  }
  return { written, kept };
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

function unwritable(path: string, cause: unknown): Diagnostic {
  const message = `the file could not be written: ${reasonOf(cause)}`;
  const hint = 'put that right and run the command again';
  return error('unwritable-file', message, { subject: path, hint });
}

function environmentExists(path: string): Diagnostic {
  const hint = 'it is left as it is; name another environment with -e, or leave --base-url and --team-id out';
  return error('environment-exists', 'there is an environment of that name already', { subject: path, hint });
}

/** What the command line says already. */
interface Given {
  readonly options: InitOptions;
  readonly folder: string | undefined;
  /** The environment of `-e`, undefined where that is `local`. */
  readonly named: string | undefined;
}

/** What the command line says by itself, where nobody can be asked. */
function answersIn({ options, folder = '.', named }: Given): InitAnswers {
  const { empty, baseUrl, teamId } = options;
  const answers = { folder, example: empty !== true };
  if (baseUrl === undefined && teamId === undefined && named === undefined)
    return { ...answers, environment: undefined };
  if (baseUrl === undefined) return fail([half('--base-url')]);
  if (teamId === undefined) return fail([half('--team-id')]);
  return { ...answers, environment: { name: named ?? 'staging', baseUrl, teamId } };
}

function half(missing: string): Diagnostic {
  const message = `an environment has a base URL and a team, and ${missing} is missing`;
  return error('init-environment', message, { hint: 'give --base-url and --team-id, or no environment' });
}

const NO_SERVICE = 'none yet';
const YES = ['y', 'yes'];
const NO = ['n', 'no'];

/** Asks for what the command line left open. Enter takes what stands in brackets. */
function askAnswers(context: CommandContext, { options, folder, named }: Given): Promise<InitAnswers> {
  const folderProblem = async (answer: string) => {
    const problem = await existingCatalog(catalogIn(answer, context), context);
    return problem && `${problem.message}: ${problem.subject}`;
  };
  return converse(context, async (ask) => {
    const chosen =
      folder ?? (await ask({ text: 'Folder of the project', fallback: '.', check: folderProblem }));
    const example = options.example || options.empty ? options.example === true : await askExample(ask);
    const baseUrl = options.baseUrl ?? (await askBaseUrl(ask, named === undefined ? NO_SERVICE : undefined));
    if (baseUrl === NO_SERVICE) return { folder: chosen, example, environment: undefined };
    const teamId = options.teamId ?? (await ask({ text: 'Id of the team there', check: teamProblem }));
    const name =
      named ??
      (await ask({ text: 'Name of this environment', fallback: 'staging', check: environmentProblem }));
    return { folder: chosen, example, environment: { name, baseUrl, teamId } };
  });
}

async function askExample(ask: Ask): Promise<boolean> {
  const answer = await ask({
    text: 'Begin with an example?',
    fallback: 'yes',
    check: (given) => ([...YES, ...NO].includes(given.toLowerCase()) ? undefined : 'Answer yes or no.'),
  });
  return YES.includes(answer.toLowerCase());
}

function askBaseUrl(ask: Ask, fallback: string | undefined): Promise<string> {
  return ask({
    text: 'Base URL of the service, such as https://game.example/api',
    ...(fallback !== undefined && { fallback }),
    check: (answer) => {
      const checked = answer === fallback ? undefined : normalBaseUrl(answer, false);
      return checked && 'problem' in checked ? `${checked.problem}: ${checked.hint}` : undefined;
    },
  });
}

function teamProblem(answer: string): string | undefined {
  return settingProblem('teamId', answer, undefined)?.problem;
}

function environmentProblem(answer: string): string | undefined {
  if (answer === 'local') return 'The environment local is there without a file; take another name.';
  const problem = nameProblem(answer);
  return problem && `${problem.message}: ${problem.hint}`;
}
