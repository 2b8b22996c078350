import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import catalogSchema from '../../schemas/catalog.schema.json' with { type: 'json' };
import environmentSchema from '../../schemas/environment.schema.json' with { type: 'json' };
import { findCatalogFiles, shownPath } from '../catalog/find.ts';
import { readEnvironment } from '../environment/load.ts';
import type { TeamSettings } from '../environment/model.ts';
import { renderInit } from '../render/command-texts.ts';
import { environmentTemplate } from '../render/messages/environment-file.ts';
import { initAnswers, initQuestions, settingQuestions } from '../render/questions.ts';
import { error } from '../text/diagnostic.ts';
import { isInside, linkOutside } from '../text/read-file.ts';
import { SourceText } from '../text/source.ts';
import { type CommandContext, printedFlags, workingFolder } from './context.ts';
import {
  checks,
  flagProblems,
  missingSettings,
  newNameProblem,
  refuseName,
  refuseTaken,
  remoteSettings,
} from './env-settings.ts';
import { failOn, orFail } from './exit-code.ts';
import { writeNewFile } from './outputs.ts';
import { converse, hasTerminal } from './prompt.ts';
import attributes from './templates/attributes.yaml?raw';
import classifiers from './templates/classifiers.yaml?raw';
import emptyCatalog from './templates/empty.yaml?raw';
import gitignore from './templates/gitignore?raw';
import items from './templates/items.yaml?raw';

interface InitOptions {
  readonly example?: boolean;
  readonly empty?: boolean;
  readonly baseUrl?: string;
  readonly teamId?: string;
  readonly userId?: string;
}

/** What the command line names; `named` is the environment of `-e`, unless that is `local`. A variable names none. */
interface Given extends InitOptions {
  readonly folder: string | undefined;
  readonly named: string | undefined;
}

/** What is to be written: from the command line and, on a terminal, from a person. */
interface InitAnswers {
  /** The project: the catalog goes below it. */
  readonly folder: string;
  readonly example: boolean;
  /** Left out: only the embedded service, for now. */
  readonly environment?: TeamSettings;
}

/** `trove init`: a first catalog that is valid as it is. What is there already is never overwritten. */
export async function init(
  context: CommandContext,
  folder: string | undefined,
  options: InitOptions,
): Promise<void> {
  // Whoever names the first catalog needs no prompts.
  const isAsked = hasTerminal(context) && !options.example && !options.empty;
  const known = folder ?? (isAsked ? undefined : '.');
  const there = known === undefined ? undefined : await catalogProblem(known, context);
  failOn(there ? [there] : []);
  const problems = flagProblems(options);
  failOn(problems);
  const isNamed = context.isNamed && context.environmentName !== 'local';
  const named = isNamed ? context.environmentName : undefined;
  const given = { ...options, folder: known, named };
  const answers = isAsked ? await askAnswers(context, given) : answersIn(given);
  const { environment } = answers;
  const catalogFolder = catalogIn(answers.folder, context);
  const files = firstFiles(catalogFolder, answers);
  if (environment) await checkEnvironment(environment.name, catalogFolder, files, context);
  const written = await writeNew(files, context);
  const flagsFor = (name: string) => printedFlags(context.io, catalogFolder, name);
  const flags = environment && flagsFor(environment.name);
  context.print(renderInit({ ...written, local: flagsFor('local'), environment: flags }));
}

/** Refuses an environment that is there, is another one's team, or would not be valid, before anything is written. */
async function checkEnvironment(
  name: string,
  catalogFolder: string,
  files: FirstFiles,
  context: CommandContext,
): Promise<void> {
  const { cwd } = context.io;
  const path = environmentPath(catalogFolder, name);
  const folder = resolve(cwd, catalogFolder);
  await refuseName(name, folder, path, cwd);
  const source = new SourceText(path, files[path] ?? '');
  const environment = orFail(await readEnvironment(source, { name, folder, digest: '' }));
  await refuseTaken(environment, { ...context, catalogFolder, catalogPath: folder });
}

function catalogIn(folder: string, { catalogFolder }: CommandContext): string {
  return isAbsolute(catalogFolder) ? catalogFolder : join(folder, catalogFolder);
}

/** The problem of a project that has a catalog. */
async function catalogProblem(project: string, context: CommandContext) {
  const { cwd } = context.io;
  const catalog = catalogIn(project, context);
  // In a folder of a catalog, the new one would be a part of it.
  const { catalogFolder, catalogPath } = context;
  const isWithin = isInside(relative(catalogPath, resolve(cwd, project))) && existsSync(catalogPath);
  if (catalogFolder === 'catalog' && isWithin)
    return error('catalog-exists', { catalog: catalogFolder }, { subject: shownPath(catalogPath, cwd) });
  const [file] = (await findCatalogFiles(resolve(cwd, catalog), cwd)).files;
  return file && error('catalog-exists', { catalog }, { subject: file.shown });
}

/** What the command line names, if there is no terminal to prompt on. */
function answersIn(given: Given): InitAnswers {
  const { empty, baseUrl, teamId, userId = '', folder = '.', named } = given;
  const answers = { folder, example: empty !== true };
  if ([baseUrl, teamId, given.userId, named].every((each) => each === undefined)) return answers;
  if (baseUrl === undefined || teamId === undefined) return missingSettings(given);
  return { ...answers, environment: remoteSettings(named ?? 'staging', { baseUrl, teamId, userId }) };
}

/** Asks for what the command line left open. Enter takes what stands in brackets. */
function askAnswers(context: CommandContext, given: Given): Promise<InitAnswers> {
  return converse(context, async (ask) => {
    const folder =
      given.folder ??
      (await ask({
        text: initQuestions.folder,
        fallback: '.',
        check: (answer) => catalogProblem(answer, context),
      }));
    const isChosen = given.example || given.empty;
    const wanted =
      isChosen || (await ask({ text: initQuestions.example, fallback: initAnswers.example, check: yesOrNo }));
    const answers = { folder, example: isChosen ? given.example === true : /^y/i.test(`${wanted}`) };
    const fallback = given.named === undefined ? initAnswers.noService : undefined;
    const baseUrl =
      given.baseUrl ??
      (await ask({
        text: initQuestions.baseUrl,
        fallback,
        check: (answer) => (answer === fallback ? undefined : checks.baseUrl(answer)),
      }));
    if (baseUrl === initAnswers.noService) return answers;
    const teamId = given.teamId ?? (await ask({ text: initQuestions.teamId, check: checks.teamId }));
    const userId = given.userId ?? (await ask({ text: settingQuestions.userId, check: checks.userId }));
    const question = { text: initQuestions.name, fallback: 'staging', check: newNameProblem };
    const name = given.named ?? (await ask(question));
    return { ...answers, environment: remoteSettings(name, { baseUrl, teamId, userId }) };
  });
}

function yesOrNo(answer: string) {
  return /^(?:y|yes|n|no)$/i.test(answer) ? undefined : error('yes-or-no', {});
}

/** Texts by path: as the catalog folder is given, relative to the working directory or absolute. */
type FirstFiles = Readonly<Record<string, string>>;

async function writeNew(files: FirstFiles, { io }: CommandContext) {
  const written: string[] = [];
  const kept: string[] = [];
  const links = Object.keys(files).map((path) => linkOutside(resolve(io.cwd, path), path, workingFolder(io)));
  const strays = (await Promise.all(links)).filter((stray) => stray !== undefined);
  failOn(strays);
  for (const [path, text] of Object.entries(files)) {
    const isNew = await writeNewFile(resolve(io.cwd, path), text, path);
    (isNew ? written : kept).push(path);
  }
  return { written, kept };
}

/**
 * The files of a catalog that is valid as it is, what declares something last: a catalog counts as begun once it has
 * such a file, so that a run that was cut short can be repeated.
 */
function firstFiles(catalogFolder: string, { example, environment }: InitAnswers): FirstFiles {
  // Beside the catalog; where the project itself is the catalog, in it, under a name that is no part of a catalog.
  const schemas = catalogFolder === '.' ? '.schemas' : join(catalogFolder, '..', 'schemas');
  const schemaFrom = (folder: string, schema: string) =>
    relative(folder, join(schemas, schema)).split(sep).join('/');
  const modeline = `# yaml-language-server: $schema=${schemaFrom(catalogFolder, 'catalog.schema.json')}\n\n`;
  const declared = example ? exampleFiles(environment === undefined) : { 'items.yaml': emptyCatalog };
  return {
    [join(schemas, 'catalog.schema.json')]: json(catalogSchema),
    [join(schemas, 'environment.schema.json')]: json(environmentSchema),
    [join(catalogFolder, '.gitignore')]: gitignore,
    ...(environment && {
      [environmentPath(catalogFolder, environment.name)]: environmentTemplate(environment, {
        schema: schemaFrom(join(catalogFolder, 'environments'), 'environment.schema.json'),
        attributes: [],
      }),
    }),
    ...Object.fromEntries(
      Object.entries(declared).map(([name, text]) => [join(catalogFolder, name), modeline + text]),
    ),
  };
}

function environmentPath(catalogFolder: string, name: string): string {
  return join(catalogFolder, 'environments', `${name}.yaml`);
}

function json(schema: unknown): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Attributes need ids that only the owner of a service knows, so they are for the embedded one alone. */
function exampleFiles(withAttributes: boolean): FirstFiles {
  return {
    ...(withAttributes && { 'attributes.yaml': attributes }),
    'classifiers.yaml': classifiers,
    'items.yaml': withAttributes ? items : items.replaceAll(/\n *attributes: .*/g, ''),
  };
}
