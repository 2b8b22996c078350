import { createHash } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { validate } from '../../generated/environment.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import { shownPath } from '../catalog/find.ts';
import { nameAfterPrefix, VARIABLE_PREFIX } from '../catalog/template.ts';
import { type Diagnostic, error, failure, type Problems, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { isBelow, isInside, readText } from '../text/read-file.ts';
import { isMapping, type Path, type SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { isUnknown, soundPart } from '../text/sound-part.ts';
import type { SourceText } from '../text/source.ts';
import { readYaml, type YamlDocument } from '../text/yaml.ts';
import { concealSecrets } from './credentials.ts';
import { applyDefaults, normalBaseUrl, type Origin } from './defaults.ts';
import { findEnvironment } from './find.ts';
import type { Environment, EnvironmentFile } from './model.ts';

export const environmentSchema: SchemaNode = schema;

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
  readonly wrong: readonly Path[];
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
  const found = await findEnvironment(name, folder, options.cwd);
  if (!found.ok) return nothing(found.diagnostics);
  const path = found.value;
  if (path === undefined) {
    const environment = applyDefaults({ service: 'embedded' }, { name, folder, digest: digestOf('') });
    return { problems: [], wrong: [], environment };
  }

  // read
  const text = await readText(path, shownPath(path, options.cwd));
  if (!text.ok) return nothing([{ ...text.problem, concealed: 'excerpt' }]);
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

  // defaults
  const environment = applyDefaults(file, { ...origin, document });
  // A folder of one machine, which git ignores: the IDs of a pipeline would be gone with its runner.
  const { service, state } = environment;
  if (
    service.kind === 'remote' &&
    state.kind === 'file' &&
    (await isBelow(join(origin.folder, '.trove'), state.path))
  )
    found.push(error('state-path', { why: 'local' }, { location: document.locate(['state', 'path']) }));
  return { problems: concealSecrets(sortDiagnostics(found), source), environment, wrong };
}

/** What an environment file must be beyond its schema. `file` is the part that fits the schema. */
function* checkEnvironment(
  file: EnvironmentFile,
  document: YamlDocument,
  folder: string,
): Iterable<Diagnostic> {
  if (file.baseUrl !== undefined) {
    const checked = normalBaseUrl(file.baseUrl, file.allowInsecureHttp ?? false);
    const location = document.locate(['baseUrl']);
    if ('problem' in checked) yield error('base-url', checked.problem, { location });
  }
  for (const [field, name] of Object.entries(file.credentials ?? {})) {
    if (nameAfterPrefix(name ?? '') === undefined) continue;
    const location = document.locate(['credentials', field]);
    yield error('credential-variable', { field, prefix: VARIABLE_PREFIX }, { location });
  }
  const { backend = 'file' } = file.state ?? {};
  const known: readonly string[] = stateSettings[backend];
  for (const setting of Object.values(stateSettings).flat()) {
    if (file.state?.[setting] === undefined || known.includes(setting)) continue;
    if (isUnknown(file.state, 'backend')) continue;
    const location = document.locate(['state', setting], 'key');
    yield error('state-setting', { setting, backend, known }, { location });
  }
  if (backend === 's3' && file.state?.bucket === undefined && !isUnknown(file.state, 'bucket'))
    yield error('state-bucket-missing', {}, { location: document.locate(['state']) });
  const why = statePathProblem(file.state?.path, folder);
  if (why) yield error('state-path', { why }, { location: document.locate(['state', 'path']) });
}

const stateSettings = {
  file: ['path'],
  git: ['remote', 'branch'],
  gitlab: ['project', 'name'],
  http: ['address'],
  postgres: ['urlFrom', 'schema'],
  s3: ['bucket', 'key', 'region', 'endpoint', 'pathStyle'],
} as const;

/** Trove writes to this path: a file that anybody may propose must not choose one elsewhere, or a catalog file. */
function statePathProblem(
  path: string | undefined,
  folder: string,
): Problems['state-path']['why'] | undefined {
  if (path === undefined) return undefined;
  if (/\p{Cc}/u.test(path)) return 'control-character';
  const below = relative(folder, resolve(folder, path));
  if (below === '' || !isInside(below)) return 'outside';
  return below.endsWith('.json') ? undefined : 'ending';
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

/** The part of an environment file that fits its schema, and what is wrong with the rest. */
interface CheckedFile {
  readonly file: EnvironmentFile;
  readonly wrong: readonly Path[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Checks an environment file against `schemas/environment.schema.json`. Does not repeat the problems that were found in
 * reading it, `already`.
 */
function checkSchema(document: YamlDocument, already: readonly Diagnostic[]): CheckedFile {
  if (validate(document.value)) return { file: document.value as EnvironmentFile, wrong: [], problems: [] };
  const errors = validate.errors ?? [];
  const problems = [...schemaProblems(document, schema, errors, already)];
  const { value, wrong } = soundPart(document.value, schema, errors);
  if (!isMapping(value)) return { file: {}, wrong, problems };
  if (!errors.some(({ keyword }) => keyword === 'oneOf')) return { file: value, wrong, problems };
  return { file: value, wrong: [...wrong, ['baseUrl']], problems: [...problems, oneService(document)] };
}

function oneService(document: YamlDocument): Diagnostic {
  const { value } = document;
  const isBoth = isMapping(value) && Object.hasOwn(value, 'baseUrl');
  const location = document.locate(isBoth ? ['service'] : [], 'key');
  return error('one-service', { isBoth }, { location });
}
