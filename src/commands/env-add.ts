import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Catalog } from '../catalog/model.ts';
import { applyOverrides } from '../environment/apply-overrides.ts';
import { unboundAttributes, usedAttributes } from '../environment/attributes.ts';
import { copyEnvironment, environmentTemplate } from '../environment/file-text.ts';
import { commandFlags, nameProblem } from '../environment/find.ts';
import { readEnvironment } from '../environment/load.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { targetOf } from '../plan/make-plan.ts';
import { renderAdded, renderNextSteps } from '../render/command-texts.ts';
import { createFile, ioFailure, makeFolder, syncFolder } from '../state/file/disk.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { quoted } from '../text/quoted.ts';
import { SourceText } from '../text/source.ts';
import { absoluteCatalog, type CommandContext, leadsOutOfCatalog } from './context.ts';
import { gatherSettings, type SettingFlags } from './env-settings.ts';
import { loadCatalogOnly, loadEnvironmentOnly, namesOf } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { isSameTeam } from './state.ts';

/** Where the new file will stand, and what is there already. */
interface Place {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** As people see it. */
  readonly shown: string;
  /** The catalog folder, absolute. */
  readonly folder: string;
  readonly catalog: Catalog;
  /** What is copied. */
  readonly from: Environment | undefined;
}

/** `trove env add NAME`: writes the file of a new environment, once it is known to be valid and nobody else's. */
export async function envAdd(context: CommandContext, name: string, flags: SettingFlags): Promise<ExitCode> {
  const place = await findPlace(name, flags.from, context);
  const settings = await gatherSettings(name, flags, place.from, context);
  const { text, environment } = await makeFile(place, settings, context);
  const { path, shown, catalog } = place;
  try {
    if (!(await writeNewFile(path, text))) return fail([exists(shown)]);
  } catch (cause) {
    return fail([ioFailure('The environment could not be written', shown, cause)]);
  }
  const { service, credentials } = environment;
  const added = {
    file: shown,
    target: targetOf(environment),
    credentials: service.kind === 'remote' ? credentials : undefined,
    unbound: unboundAttributes(applyOverrides(catalog, environment).catalog, environment).length,
    flags: commandFlags({ catalog: context.catalogFolder, environment: name }),
  };
  context.print(renderAdded(added));
  context.note(renderNextSteps(added));
  return exitCode.done;
}

async function findPlace(name: string, copied: string | undefined, context: CommandContext): Promise<Place> {
  const problem = name === 'local' ? localIsThere() : nameProblem(name);
  if (problem) fail([problem]);
  const folder = absoluteCatalog(context);
  const path = join(folder, 'environments', `${name}.yaml`);
  const shown = relative(context.io.cwd, path).split(sep).join('/');
  const [catalog, from] = await Promise.all([
    loadCatalogOnly(context),
    copied === undefined ? undefined : loadEnvironmentOnly(context, copied),
  ]);
  const problems = [catalog, from].flatMap((result) => (!result || result.ok ? [] : result.diagnostics));
  if (!catalog.ok || (from && !from.ok)) return fail(problems);
  if (from && !from.value.document) fail([nothingToCopy(name, context)]);
  const stray = await leadsOutOfCatalog(path, context);
  if (stray) fail([stray]);
  if (await lstat(path).catch(() => undefined)) fail([exists(shown)]);
  return { name, path, shown, folder, catalog: catalog.value, from: from?.value };
}

async function makeFile(
  place: Place,
  settings: TeamSettings,
  context: CommandContext,
): Promise<{ readonly text: string; readonly environment: Environment }> {
  const { name, folder, shown, from } = place;
  const text = from ? copyOf(from, settings) : await templateFor(place, settings);
  if (text === undefined) return fail([notCopied(from)]);
  const source = new SourceText(shown, text);
  const environment = orFail(await readEnvironment(source, { name, folder, digest: '' }));
  const taken = await takenBy(environment, context);
  return taken.length > 0 ? fail(taken) : { text, environment };
}

function copyOf(from: Environment, settings: TeamSettings): string | undefined {
  const text = from.document?.source.text;
  return text === undefined ? undefined : copyEnvironment(text, from, settings, randomUUID());
}

async function templateFor({ path, folder, catalog }: Place, settings: TeamSettings): Promise<string> {
  const schema = await schemaBeside(folder, path);
  const attributes = [...usedAttributes(catalog)].sort();
  return environmentTemplate(settings, { ...(schema !== undefined && { schema }), attributes });
}

/** The schema where an editor finds it without the network: in the repository, or in an installed package. */
async function schemaBeside(folder: string, path: string): Promise<string | undefined> {
  for (const place of ['schemas', 'node_modules/trove/schemas']) {
    const file = resolve(folder, '..', place, 'environment.schema.json');
    if (await lstat(file).catch(() => undefined))
      return relative(resolve(path, '..'), file).split(sep).join('/');
  }
  return undefined;
}

function localIsThere(): Diagnostic {
  const hint = 'take another name; --service embedded makes another one like it';
  return error('environment-name', 'the environment `local` is there without a file', { hint });
}

function nothingToCopy(name: string, { flags }: CommandContext): Diagnostic {
  const hint = `to make one like it: trove env add ${name}${flags} --service embedded`;
  return error('nothing-to-copy', 'the environment `local` has no file that could be copied', { hint });
}

function notCopied(from: Environment | undefined): Diagnostic {
  const message = `the file of environment ${quoted(from?.name ?? '')} is written in a way that can't be copied`;
  const hint = 'an anchor stands in what has to go; write its value out, or leave --from out';
  return error('not-copied', message, { hint });
}

function exists(shown: string): Diagnostic {
  const hint = 'take another name, or remove the file first; nothing was written';
  return error('environment-exists', 'there is a file already', { subject: shown, hint });
}

/**
 * Why a new environment can't be added: another one is the same team or has its state, and both would create everything
 * again. One that is not valid may be that team, so its problems count too.
 */
async function takenBy(environment: Environment, context: CommandContext): Promise<readonly Diagnostic[]> {
  for (const name of await namesOf(context)) {
    const other = await loadEnvironmentOnly(context, name);
    if (!other.ok) return other.diagnostics;
    if (other.value.state.path === environment.state.path) return [sameState(name, environment)];
    if (environment.service.kind === 'remote' && isSameTeam(other.value, environment))
      return [sameTeam(name, context.flags)];
  }
  return [];
}

function sameTeam(name: string, flags: string): Diagnostic {
  const message = `environment ${name} is this team on this service already, and a second one would create everything again`;
  return error('same-team', message, { hint: `trove plan${flags} -e ${name}, or give another --team-id` });
}

function sameState(name: string, { state }: Environment): Diagnostic {
  const message = `environment ${name} keeps its state there already`;
  const hint = `take another name, or give environment ${name} another \`state.path\``;
  return error('same-state', message, { subject: state.path, hint });
}

/**
 * Writes a file that must not exist yet, whole or not at all, and makes the folders above it; false where something
 * stands there. Throws what the system says.
 */
async function writeNewFile(path: string, text: string): Promise<boolean> {
  await makeFolder(dirname(path));
  const isNew = await createFile(path, text, 0o666);
  await syncFolder(dirname(path));
  return isNew;
}
