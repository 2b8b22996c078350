import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { loadCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { applyOverrides } from '../environment/apply-overrides.ts';
import { unboundAttributes, usedAttributes } from '../environment/attributes.ts';
import { copyEnvironment, environmentTemplate } from '../environment/file-text.ts';
import { commandFlags, nameProblem } from '../environment/find.ts';
import { loadEnvironment, readEnvironment } from '../environment/load.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { targetOf } from '../plan/make-plan.ts';
import { renderAdded, renderNextSteps } from '../render/command-texts.ts';
import { ioFailure } from '../state/file/io-failure.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { quoted } from '../text/quoted.ts';
import { SourceText } from '../text/source.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { leadsOutOfCatalog } from './output/inside-catalog.ts';
import { writeNewFile } from './output/write-new-file.ts';
import { gatherSettings } from './settings/gather-settings.ts';
import type { SettingFlags } from './settings/setting-flags.ts';
import { takenBy } from './settings/taken-by.ts';

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
  if (!place.ok) return refuse(context, place.diagnostics);
  const gathered = await gatherSettings(name, flags, place.value.from, context);
  if (!gathered.ok) return gathered.exit;
  const made = await makeFile(place.value, gathered.settings, context);
  if (!made.ok) return refuse(context, made.diagnostics);
  const { text, environment } = made.value;
  const { path, shown, catalog } = place.value;
  try {
    if (!(await writeNewFile(path, text))) return refuse(context, [exists(shown)]);
  } catch (cause) {
    return refuse(context, [ioFailure('The environment could not be written', shown, cause)]);
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

async function findPlace(
  name: string,
  copied: string | undefined,
  context: CommandContext,
): Promise<Result<Place>> {
  const { catalogFolder, io } = context;
  const problem = name === 'local' ? localIsThere() : nameProblem(name);
  if (problem) return failure(problem);
  const folder = resolve(io.cwd, catalogFolder);
  const path = join(folder, 'environments', `${name}.yaml`);
  const shown = relative(io.cwd, path).split(sep).join('/');
  const [catalog, from] = await Promise.all([
    loadCatalog(catalogFolder, { cwd: io.cwd }),
    copied === undefined ? undefined : loadEnvironment(copied, { catalogFolder, cwd: io.cwd }),
  ]);
  const problems = [catalog, from].flatMap((result) => (!result || result.ok ? [] : result.diagnostics));
  if (!catalog.ok || (from && !from.ok)) return failure(...problems);
  if (from && !from.value.document) return failure(nothingToCopy(name, context));
  const stray = await leadsOutOfCatalog(path, context);
  if (stray) return failure(stray);
  if (await lstat(path).catch(() => undefined)) return failure(exists(shown));
  return success({ name, path, shown, folder, catalog: catalog.value, from: from?.value });
}

async function makeFile(
  place: Place,
  settings: TeamSettings,
  context: CommandContext,
): Promise<Result<{ readonly text: string; readonly environment: Environment }>> {
  const { name, folder, shown, from } = place;
  const text = from ? copyOf(from, settings) : await templateFor(place, settings);
  if (text === undefined) return failure(notCopied(from));
  const read = await readEnvironment(new SourceText(shown, text), { name, folder, digest: '' });
  if (!read.ok) return read;
  const taken = await takenBy(read.value, folder, context);
  return taken.length > 0 ? failure(...taken) : success({ text, environment: read.value });
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

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
