import { readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isKey } from '../catalog/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { quoted, quotedForShell } from '../text/quoted.ts';
import { matches } from './select-resources.ts';

const ENDING = '.yaml';

export type FoundEnvironment =
  | { readonly kind: 'file' /** Absolute. */; readonly path: string }
  /** `local` needs no file. */
  | { readonly kind: 'built-in' }
  | { readonly kind: 'problem'; readonly problem: Diagnostic };

/** Looks for `environments/NAME.yaml` in the catalog folder (absolute). */
export async function findEnvironment(name: string, catalogFolder: string): Promise<FoundEnvironment> {
  const known = await environmentNames(catalogFolder);
  const problem = nameProblem(name);
  if (problem) return { kind: 'problem', problem };
  const path = join(catalogFolder, 'environments', `${name}${ENDING}`);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) {
    return name === 'local' ? { kind: 'built-in' } : { kind: 'problem', problem: unknownName(name, known) };
  }
  const inside = real.startsWith((await realpath(catalogFolder)) + sep);
  return inside ? { kind: 'file', path } : { kind: 'problem', problem: linkOutside(name) };
}

/** The names of all environments of a catalog folder (absolute), `local` among them, sorted. */
export async function environmentNames(catalogFolder: string): Promise<readonly string[]> {
  const files = await readdir(join(catalogFolder, 'environments')).catch(() => []);
  const names = files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
  return [...new Set(['local', ...names.filter((name) => isKey(name))])].sort();
}

/** Why this can't be the name of an environment. */
export function nameProblem(name: string): Diagnostic | undefined {
  if (isKey(name)) return undefined;
  const message = `${quoted(name)} can't be the name of an environment`;
  const hint = 'names are lower-case letters and digits in words joined by - or _';
  return error('environment-name', message, { hint });
}

function unknownName(name: string, known: readonly string[]): Diagnostic {
  const meant = nearest(name, known);
  const listed = `known are ${known.join(', ')}; a new one is a file environments/NAME.yaml in the catalog folder`;
  const hint = meant === undefined ? listed : `did you mean ${quoted(meant)}? ${listed}`;
  return error('unknown-environment', `there is no environment ${quoted(name)}`, { hint });
}

function linkOutside(name: string): Diagnostic {
  const hint = 'put the file itself there';
  return error(
    'link-outside',
    `the environment file of ${quoted(name)} is a link out of the catalog folder`,
    { hint },
  );
}

/** In a pattern `*` stands for any characters; nothing else is special. */
const PATTERN = /^[\w*-]*\*[\w*-]*$/;

/**
 * The environments that `-e` selects: names as given, and for a pattern (`team-*`) every file of the catalog folder
 * (absolute) that fits it, in alphabetical order. No pattern selects `local`.
 */
export async function selectEnvironments(
  wanted: readonly string[],
  catalogFolder: string,
): Promise<Result<readonly string[]>> {
  const known = (await environmentNames(catalogFolder)).filter((name) => name !== 'local');
  const selected = new Set<string>();
  const problems: Diagnostic[] = [];
  for (const name of wanted) {
    const names = PATTERN.test(name) ? known.filter((each) => matches(name, each)) : [name];
    for (const each of names) selected.add(each);
    if (names.length === 0) problems.push(noMatch(name, known));
  }
  return problems.length > 0 ? failure(...problems) : success([...selected]);
}

function noMatch(pattern: string, known: readonly string[]): Diagnostic {
  const meant = nearest(pattern.replaceAll(/[^a-z0-9_-]/g, ''), known);
  const listed = known.length > 0 ? `known are ${known.join(', ')}` : 'there is no environment file yet';
  const hint = meant === undefined ? listed : `did you mean ${quoted(meant)}? ${listed}`;
  return error('unknown-environment', `no environment fits ${quoted(pattern)}`, { hint });
}

/**
 * The flags that select this catalog and this environment in a printed command, with a blank before each; none for a
 * default. `catalog` is the folder as people name it.
 */
export function commandFlags({
  catalog,
  environment,
}: {
  readonly catalog: string;
  readonly environment: string;
}): string {
  const folder = catalog === 'catalog' ? '' : ` --catalog ${quotedForShell(catalog)}`;
  return environment === 'local' ? folder : `${folder} -e ${quotedForShell(environment)}`;
}
