import { isAbsolute, join, resolve } from 'node:path';
import { findCatalogFiles } from '../catalog/find.ts';
import { commandFlags, findEnvironment, nameProblem } from '../environment/find.ts';
import { readEnvironment } from '../environment/load.ts';
import { renderInit } from '../render/command-texts.ts';
import { linkOutside } from '../text/read-file.ts';
import { SourceText } from '../text/source.ts';
import { type CommandContext, workingFolder } from './context.ts';
import { settings } from './env-settings.ts';
import { type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
import { environmentPath, type FirstEnvironment, type FirstFile, firstFiles } from './first-files.ts';
import { unwritable, writeNewFile } from './outputs.ts';
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
  const given = { ...options, folder, named };
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
  const subject = await existingFile(catalogFolder, context);
  if (subject === undefined) return;
  const flags = commandFlags({ catalog: catalogFolder, environment: 'local' });
  const hint = `it is left as it is; see what it declares: trove validate${flags}`;
  refuse('catalog-exists', CATALOG_EXISTS, { subject, hint });
}

const CATALOG_EXISTS = 'there is a catalog already';

async function existingFile(catalogFolder: string, { io }: CommandContext): Promise<string | undefined> {
  const { files } = await findCatalogFiles(resolve(io.cwd, catalogFolder), io.cwd);
  return files[0]?.shown;
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
  const there = await findEnvironment(name, folder, io.cwd);
  if (there.kind === 'file') {
    const hint =
      'it is left as it is; name another environment with -e, or leave --base-url and --team-id out';
    refuse('environment-exists', 'there is an environment of that name already', { subject: path, hint });
  }
  if (there.kind === 'problem' && there.problem.rule !== 'unknown-environment') fail([there.problem]);
  const text = files.find((file) => file.path === path)?.text ?? '';
  orFail(await readEnvironment(new SourceText(path, text), { name, folder, digest: '' }));
}

async function writeNew(files: readonly FirstFile[], { io }: CommandContext) {
  const written: string[] = [];
  const kept: string[] = [];
  const links = files.map(({ path }) => linkOutside(resolve(io.cwd, path), path, workingFolder(io)));
  const strays = (await Promise.all(links)).filter((stray) => stray !== undefined);
  if (strays.length > 0) fail(strays);
  for (const { path, text } of files) {
    const isNew = await writeNewFile(resolve(io.cwd, path), text).catch((cause) =>
      fail([unwritable(path, cause)]),
    );
    (isNew ? written : kept).push(path);
  }
  return { written, kept };
}

/** What the command line names; `named` is the environment of `-e`, unless that is `local`. */
interface Given extends InitOptions {
  readonly folder: string | undefined;
  readonly named: string | undefined;
}

/** What the command line names by itself, if nobody can be asked. */
function answersIn({ empty, baseUrl, teamId, folder = '.', named }: Given): InitAnswers {
  const answers = { folder, example: empty !== true };
  if (baseUrl === undefined && teamId === undefined && named === undefined)
    return { ...answers, environment: undefined };
  if (baseUrl === undefined) return half('--base-url');
  if (teamId === undefined) return half('--team-id');
  return { ...answers, environment: { name: named ?? 'staging', baseUrl, teamId } };
}

function half(missing: string): never {
  const message = `an environment has a base URL and a team, and ${missing} is missing`;
  return refuse('init-environment', message, { hint: 'give --base-url and --team-id, or no environment' });
}

const NO_SERVICE = 'none yet';
const YES = ['y', 'yes'];
const NO = ['n', 'no'];

/** Asks for what the command line left open. Enter takes what stands in brackets. */
function askAnswers(context: CommandContext, given: Given): Promise<InitAnswers> {
  const { example, empty, named } = given;
  return converse(context, async (ask) => {
    const folder = given.folder ?? (await askFolder(ask, context));
    const answers = { folder, example: example || empty ? example === true : await askExample(ask) };
    const baseUrl = given.baseUrl ?? (await askBaseUrl(ask, named === undefined ? NO_SERVICE : undefined));
    if (baseUrl === NO_SERVICE) return { ...answers, environment: undefined };
    const check = (answer: string) => settings.teamId.check(answer)?.problem;
    const teamId = given.teamId ?? (await ask({ text: 'Id of the team there', check }));
    const question = { text: 'Name of this environment', fallback: 'staging', check: environmentProblem };
    return { ...answers, environment: { name: named ?? (await ask(question)), baseUrl, teamId } };
  });
}

function askFolder(ask: Ask, context: CommandContext): Promise<string> {
  const check = async (answer: string) => {
    const there = await existingFile(catalogIn(answer, context), context);
    return there && `${CATALOG_EXISTS}: ${there}`;
  };
  return ask({ text: 'Folder of the project', fallback: '.', check });
}

async function askExample(ask: Ask): Promise<boolean> {
  const check = (given: string) =>
    [...YES, ...NO].includes(given.toLowerCase()) ? undefined : 'Answer yes or no.';
  const answer = await ask({ text: 'Begin with an example?', fallback: 'yes', check });
  return YES.includes(answer.toLowerCase());
}

function askBaseUrl(ask: Ask, fallback: string | undefined): Promise<string> {
  return ask({
    text: 'Base URL of the service, such as https://game.example/api',
    ...(fallback !== undefined && { fallback }),
    check: (answer) => {
      const found = answer === fallback ? undefined : settings.baseUrl.check(answer);
      return found && `${found.problem}: ${found.hint}`;
    },
  });
}

function environmentProblem(answer: string): string | undefined {
  if (answer === 'local') return 'The environment local is there without a file; take another name.';
  const problem = nameProblem(answer);
  return problem && `${problem.message}: ${problem.hint}`;
}
