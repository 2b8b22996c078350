import { type Dirent, existsSync, lstatSync, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { isInside, linkOutside, unreadable } from '../text/read-file.ts';

export interface CatalogFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the catalog folder, with forward slashes. */
  readonly name: string;
  /** Relative to the working directory, with forward slashes. */
  readonly shown: string;
}

export interface FoundFiles {
  /** In the order of their names' code units. */
  readonly files: readonly CatalogFile[];
  readonly problems: readonly Diagnostic[];
}

/**
 * The catalog folder (absolute) for who stands in `cwd`: `catalog` there, whatever it is, or in the nearest parent that
 * has one, up to the root of a git repository or the home folder. In a parent, a link and what belongs to another user
 * are passed over: no one named it, and it could send credentials anywhere.
 */
export function nearestCatalog(cwd: string, home: string | undefined, user: number): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, 'catalog');
    const found = seenAt(path);
    if (found && (folder === cwd || (found.isDirectory() && found.uid === user))) return path;
    const isLast = folder === home || folder === dirname(folder) || existsSync(join(folder, '.git'));
    if (isLast) return join(cwd, 'catalog');
  }
}

function seenAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

interface Search {
  readonly root: string;
  readonly realRoot: string;
  readonly cwd: string;
  readonly files: CatalogFile[];
  readonly problems: Diagnostic[];
  /** Real paths of the folders gone into: links must not lead there again. */
  readonly entered: Set<string>;
}

/**
 * The catalog files below `root` (absolute): every `*.yaml` and `*.yml` but for `environments/`, `state/` and
 * names that begin with a dot. Links that lead out of the folder or round in it are problems.
 */
export async function findCatalogFiles(root: string, cwd: string): Promise<FoundFiles> {
  // A commit can make the catalog itself a link, to a folder of the machine that plans it.
  const stray = await linkOutside(root, shownPath(root, cwd), { path: cwd, called: 'working-folder' });
  if (stray) return { files: [], problems: [stray] };
  const realRoot = await realpath(root).catch(() => undefined);
  if (realRoot === undefined) return { files: [], problems: [missingFolder(shownPath(root, cwd))] };
  const inner = join(root, 'catalog');
  if (isCatalog(inner)) {
    const folder = shownPath(root, cwd);
    const values = { folder, inner: shownPath(inner, cwd) };
    return { files: [], problems: [error('nested-catalog', values, { subject: folder })] };
  }
  const search: Search = { root, realRoot, cwd, files: [], problems: [], entered: new Set() };
  await searchFolder(search, root, realRoot);
  if (search.files.length + search.problems.length === 0)
    search.problems.push(emptyFolder(shownPath(root, cwd)));
  search.files.sort((one, other) => (one.name < other.name ? -1 : 1));
  return search;
}

/** By what only a catalog has: a project may be taken for its catalog, which would begin another state. */
function isCatalog(folder: string): boolean {
  return ['.trove', 'environments', 'state'].some((name) => existsSync(join(folder, name)));
}

async function searchFolder(search: Search, folder: string, real: string): Promise<void> {
  search.entered.add(real);
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (problem) {
    search.problems.push(folderProblem(shownPath(folder, search.cwd), problem));
    return;
  }
  // Real folders first, so that a link is always the second way to a place.
  entries.sort((one, other) => Number(one.isSymbolicLink()) - Number(other.isSymbolicLink()));
  for (const entry of entries) {
    const isReserved = folder === search.root && ['environments', 'state'].includes(entry.name);
    if (entry.name.startsWith('.') || isReserved) continue;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) await searchLink(search, path);
    else if (entry.isDirectory()) await searchFolder(search, path, join(real, entry.name));
    else addFile(search, path);
  }
}

async function searchLink(search: Search, path: string): Promise<void> {
  const shown = shownPath(path, search.cwd);
  const refuse = (rule: 'broken-link' | 'link-loop' | 'link-outside') =>
    void search.problems.push(error(rule, { link: shown }, { subject: shown }));
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return refuse('broken-link');
  const isFolder = (await stat(target)).isDirectory();
  if (!isFolder && !isCatalogName(path)) return;
  if (!isInside(relative(search.realRoot, target))) return refuse('link-outside');
  if (!isFolder) return addFile(search, path);
  if (search.entered.has(target)) refuse('link-loop');
  else await searchFolder(search, path, target);
}

function addFile(search: Search, path: string): void {
  if (!isCatalogName(path)) return;
  const name = relative(search.root, path).split(sep).join('/');
  search.files.push({ path, name, shown: shownPath(path, search.cwd) });
}

function isCatalogName(path: string): boolean {
  return path.endsWith('.yaml') || path.endsWith('.yml');
}

/** A path as people see it: relative to the working directory, with forward slashes. */
export function shownPath(path: string, cwd: string): string {
  return (relative(cwd, path) || '.').split(sep).join('/');
}

function missingFolder(folder: string): Diagnostic {
  return error('missing-catalog', { folder, isFile: false }, { subject: folder });
}

function emptyFolder(folder: string): Diagnostic {
  return error('empty-catalog', { folder }, { subject: folder });
}

function folderProblem(shown: string, problem: unknown): Diagnostic {
  const { code } = problem as NodeJS.ErrnoException;
  if (code !== 'ENOTDIR') return unreadable(shown, problem);
  return error('missing-catalog', { folder: shown, isFile: true }, { subject: shown });
}
