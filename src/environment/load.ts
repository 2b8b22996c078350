import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { shownPath } from '../catalog/find.ts';
import { nameAfterPrefix, VARIABLE_PREFIX } from '../catalog/template.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { readText } from '../text/read-file.ts';
import type { SourceText } from '../text/source.ts';
import { readYaml, type YamlDocument } from '../text/yaml.ts';
import { concealSecrets } from './credentials.ts';
import { applyDefaults, normalBaseUrl, type Origin } from './defaults.ts';
import { findEnvironment } from './find.ts';
import type { Environment } from './model.ts';
import { checkSchema, type EnvironmentFile } from './schema.ts';

export interface LoadEnvironmentOptions {
  /** Absolute, or relative to `cwd`. */
  readonly catalogFolder: string;
  readonly cwd: string;
}

/** An environment and everything that is wrong with its file. */
export interface ExaminedEnvironment {
  readonly problems: readonly Diagnostic[];
  /** The valid part of the file, with every default; undefined if nothing of it could be read. */
  readonly environment?: Environment;
  /** Paths in the file of what `environment` lacks. */
  readonly wrong: readonly (readonly string[])[];
}

/**
 * The environment NAME of a catalog with every default, or everything that is wrong with its file. Reads no variable:
 * see `readCredentials`.
 */
export async function loadEnvironment(
  name: string,
  options: LoadEnvironmentOptions,
): Promise<Result<Environment>> {
  return resultOf(await examineEnvironment(name, options));
}

/** The same, but a file with problems also gives its valid part, to look for more of them. */
export async function examineEnvironment(
  name: string,
  options: LoadEnvironmentOptions,
): Promise<ExaminedEnvironment> {
  const folder = resolve(options.cwd, options.catalogFolder);

  // find
  const found = await findEnvironment(name, folder);
  if (found.kind === 'problem') return nothing([found.problem]);
  if (found.kind === 'built-in')
    return {
      problems: [],
      wrong: [],
      environment: applyDefaults({ service: 'embedded' }, { name, folder, digest: digestOf('') }),
    };

  // read
  const text = await readText(found.path, shownPath(found.path, options.cwd));
  if (!text.ok) return nothing([{ ...text.problem, concealed: true }]);
  return examine(text.source, { name, folder, digest: digestOf(text.bytes) });
}

/** The environment of a text that may become its file. */
export async function readEnvironment(
  source: SourceText,
  origin: Omit<Origin, 'document'>,
): Promise<Result<Environment>> {
  return resultOf(await examine(source, origin));
}

async function examine(source: SourceText, origin: Omit<Origin, 'document'>): Promise<ExaminedEnvironment> {
  // parse
  const { document, diagnostics } = await readYaml(source);
  if (document === undefined) return nothing(concealSecrets(diagnostics, source));

  // check
  const { file, wrong, problems } = checkSchema(document, diagnostics);
  const found = [...diagnostics, ...problems, ...checkEnvironment(file, document, origin.folder)];
  if (diagnostics.length > 0) return nothing(concealSecrets(sortDiagnostics(found), source));

  // defaults
  const environment = applyDefaults(file, { ...origin, document });
  return { problems: concealSecrets(sortDiagnostics(found), source), environment, wrong };
}

/** What an environment file must be beyond its schema. `file` is the part that fits the schema. */
function checkEnvironment(file: EnvironmentFile, document: YamlDocument, folder: string): Diagnostic[] {
  return [
    ...checkBaseUrl(file, document),
    ...checkCredentialNames(file, document),
    ...checkStatePath(file, document, folder),
  ];
}

function checkBaseUrl(file: EnvironmentFile, document: YamlDocument): Diagnostic[] {
  if (file.baseUrl === undefined) return [];
  const checked = normalBaseUrl(file.baseUrl, file.allowInsecureHttp ?? false);
  if ('url' in checked) return [];
  const { problem, hint } = checked;
  return [error('base-url', problem, { location: document.locate(['baseUrl']), hint })];
}

/** Plans show the values of variables that a catalog may name. */
function checkCredentialNames({ credentials = {} }: EnvironmentFile, document: YamlDocument): Diagnostic[] {
  return Object.entries(credentials).flatMap(([key, name]) => {
    if (nameAfterPrefix(name) === undefined) return [];
    const message = `${quoted(key)} can't name a variable that begins with ${VARIABLE_PREFIX}: catalogs may use those, and plans show them`;
    const hint = 'use another name, for example STAGING_PASSWORD';
    return [error('credential-variable', message, { location: document.locate(['credentials', key]), hint })];
  });
}

/** Trove writes to this path: a file that anybody may propose must not choose one elsewhere, or a catalog file. */
function checkStatePath(file: EnvironmentFile, document: YamlDocument, folder: string): Diagnostic[] {
  const path = file.state?.path;
  if (path === undefined) return [];
  const location = document.locate(['state', 'path']);
  const hint = 'for example state/staging.json';
  if (/\p{Cc}/u.test(path))
    return [error('state-path', '`state.path` must not hold a control character', { location, hint })];
  const below = relative(folder, resolve(folder, path));
  const outside = below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  if (!outside && below.endsWith('.json')) return [];
  const message = outside
    ? '`state.path` must stay below the catalog folder'
    : '`state.path` must end with .json';
  return [error('state-path', message, { location, hint })];
}

function resultOf({ problems, environment }: ExaminedEnvironment): Result<Environment> {
  return problems.length === 0 && environment ? success(environment) : failure(...problems);
}

function nothing(problems: readonly Diagnostic[]): ExaminedEnvironment {
  return { problems, wrong: [] };
}

function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
