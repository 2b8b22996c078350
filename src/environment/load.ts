import { createHash } from 'node:crypto';
import { relative, resolve, sep } from 'node:path';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { readText } from '../text/read-text.ts';
import type { SourceText } from '../text/source.ts';
import { readYaml, type YamlDocument } from '../text/yaml.ts';
import { checkEnvironment } from './check.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { findEnvironment } from './find.ts';
import type { Environment } from './model.ts';
import { type EnvironmentFile, environmentFileProblems } from './schema.ts';
import { type About, settle } from './settle.ts';

export interface LoadEnvironmentOptions {
  /** Absolute, or relative to `cwd`. */
  readonly catalogFolder: string;
  readonly cwd: string;
}

/**
 * Reads the environment NAME of a catalog with every default filled in, or gives everything that is wrong with
 * its file. Reads no variable: see `readCredentials`.
 */
export async function loadEnvironment(
  name: string,
  options: LoadEnvironmentOptions,
): Promise<Result<Environment>> {
  const folder = resolve(options.cwd, options.catalogFolder);

  // find
  const found = await findEnvironment(name, folder);
  if (found.kind === 'problem') return failure(found.problem);
  if (found.kind === 'built-in')
    return success(settle({ service: 'embedded' }, { name, folder, digest: digestOf('') }));

  // read
  const shown = relative(options.cwd, found.path).split(sep).join('/');
  const text = await readText(found.path, shown);
  if (!text.ok) return failure(text.problem);
  return readEnvironment(text.source, { name, folder, digest: digestOf(text.bytes) });
}

/** The same for a text that may become the file: parsed, checked, and with every default filled in. */
export async function readEnvironment(
  source: SourceText,
  about: Omit<About, 'document'>,
): Promise<Result<Environment>> {
  // parse
  const { document, diagnostics } = await readYaml(source);
  if (document === undefined) return failure(...concealSecrets(diagnostics, source));

  // check
  const { file, problems } = check(document, diagnostics, about.folder);
  if (problems.length > 0) return failure(...concealSecrets(sortDiagnostics(problems), source));

  // settle
  return success(settle(file, { ...about, document }));
}

function check(
  document: YamlDocument,
  already: readonly Diagnostic[],
  folder: string,
): { readonly file: EnvironmentFile; readonly problems: readonly Diagnostic[] } {
  const { file, problems } = environmentFileProblems(document, already);
  return { file, problems: [...already, ...problems, ...checkEnvironment(file, document, folder)] };
}

function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
