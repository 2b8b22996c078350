import { createHash } from 'node:crypto';
import { relative, resolve, sep } from 'node:path';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { readText } from '../text/read-file.ts';
import type { SourceText } from '../text/source.ts';
import { readYaml } from '../text/yaml.ts';
import { checkEnvironment } from './check.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { findEnvironment } from './find.ts';
import type { Environment } from './model.ts';
import { environmentFileProblems } from './schema.ts';
import { type About, settle } from './settle.ts';

export interface LoadEnvironmentOptions {
  /** Absolute, or relative to `cwd`. */
  readonly catalogFolder: string;
  readonly cwd: string;
}

/** An environment and everything that is wrong with its file. */
export interface Examined {
  readonly problems: readonly Diagnostic[];
  /** What is not wrong, with every default filled in; undefined where nothing of it could be read. */
  readonly environment?: Environment;
  /** Paths in the file of what `environment` lacks. */
  readonly wrong: readonly (readonly string[])[];
}

/**
 * Reads the environment NAME of a catalog with every default filled in, or gives everything that is wrong with
 * its file. Reads no variable: see `readCredentials`.
 */
export async function loadEnvironment(
  name: string,
  options: LoadEnvironmentOptions,
): Promise<Result<Environment>> {
  return resultOf(await examineEnvironment(name, options));
}

/** The same, with what is sound of a file that is not, to look for more problems. */
export async function examineEnvironment(name: string, options: LoadEnvironmentOptions): Promise<Examined> {
  const folder = resolve(options.cwd, options.catalogFolder);

  // find
  const found = await findEnvironment(name, folder);
  if (found.kind === 'problem') return nothing([found.problem]);
  if (found.kind === 'built-in')
    return sound(settle({ service: 'embedded' }, { name, folder, digest: digestOf('') }));

  // read
  const shown = relative(options.cwd, found.path).split(sep).join('/');
  const text = await readText(found.path, shown);
  if (!text.ok) return nothing([{ ...text.problem, concealed: true }]);
  return examine(text.source, { name, folder, digest: digestOf(text.bytes) });
}

/** The environment of a text that may become its file. */
export async function readEnvironment(
  source: SourceText,
  about: Omit<About, 'document'>,
): Promise<Result<Environment>> {
  return resultOf(await examine(source, about));
}

async function examine(source: SourceText, about: Omit<About, 'document'>): Promise<Examined> {
  // parse
  const { document, diagnostics } = await readYaml(source);
  if (document === undefined) return nothing(concealSecrets(diagnostics, source));

  // check
  const { file, wrong, problems } = environmentFileProblems(document, diagnostics);
  const found = [...diagnostics, ...problems, ...checkEnvironment(file, document, about.folder)];
  if (diagnostics.length > 0) return nothing(concealSecrets(sortDiagnostics(found), source));

  // settle
  const environment = settle(file, { ...about, document });
  return { problems: concealSecrets(sortDiagnostics(found), source), environment, wrong };
}

function resultOf({ problems, environment }: Examined): Result<Environment> {
  return problems.length === 0 && environment ? success(environment) : failure(...problems);
}

function sound(environment: Environment): Examined {
  return { problems: [], environment, wrong: [] };
}

function nothing(problems: readonly Diagnostic[]): Examined {
  return { problems, wrong: [] };
}

function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
