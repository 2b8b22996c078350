import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shownPath } from '../catalog/find.ts';
import { isKey } from '../catalog/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { isBelow, linkOutside } from '../text/read-file.ts';
import { matcher } from './select-resources.ts';

const ENDING = '.yaml';

/** The absolute path of `environments/NAME.yaml` in the catalog folder (absolute); `local` needs no file. */
export async function findEnvironment(
  name: string,
  catalogFolder: string,
  cwd: string,
): Promise<Result<string | undefined>> {
  const problem = nameProblem(name);
  if (problem) return failure(problem);
  const path = join(catalogFolder, 'environments', `${name}${ENDING}`);
  const within = { path: catalogFolder, called: 'catalog' } as const;
  const stray = await linkOutside(path, shownPath(path, cwd), within);
  if (stray) return failure(stray);
  // A link that points to nothing is there: to take it for absent would leave out what it should say.
  const isThere = await lstat(path).then(
    () => true,
    ({ code }) => code !== 'ENOENT',
  );
  if (isThere || name === 'local') return success(isThere ? path : undefined);
  const known = await environmentNames(catalogFolder);
  return failure(error('unknown-environment', { name, isPattern: false, known }));
}

/** The names of all environments of a catalog folder (absolute), `local` among them, sorted. */
export async function environmentNames(catalogFolder: string): Promise<readonly string[]> {
  const folder = join(catalogFolder, 'environments');
  const isInside = await isBelow(catalogFolder, folder);
  const files = isInside ? await readdir(folder).catch(() => []) : [];
  const names = files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
  return [...new Set(['local', ...names.filter((name) => isKey(name))])].sort();
}

/** Why this is not a valid environment name. */
export function nameProblem(name: string): Diagnostic | undefined {
  return isKey(name) ? undefined : error('environment-name', { name });
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
    const names = PATTERN.test(name) ? known.filter(matcher(name)) : [name];
    for (const each of names) selected.add(each);
    const isLocal = matcher(name)('local');
    if (names.length === 0)
      problems.push(error('unknown-environment', { name, isPattern: true, isLocal, known }));
  }
  return problems.length > 0 ? failure(...problems) : success([...selected]);
}
