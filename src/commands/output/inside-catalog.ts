import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';

/**
 * Complains about a path below the catalog that leads out of it through a link: what Trove writes there would
 * land on somebody else's file.
 */
export async function leadsOutOfCatalog(
  path: string,
  { catalogFolder, io }: CommandContext,
): Promise<Diagnostic | undefined> {
  if (await isBelow(resolve(io.cwd, catalogFolder), path)) return undefined;
  const hint = 'replace the link by a folder or a file of its own';
  return error('link-out-of-catalog', 'a link leads out of the catalog', { subject: path, hint });
}

/** Whether a path is a folder or below it once links are followed; neither needs to exist. */
export async function isBelow(folder: string, path: string): Promise<boolean> {
  const way = relative(await realOf(folder), await realOf(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The real path, of which the end need not exist yet. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realOf(above), basename(path));
  }
}
