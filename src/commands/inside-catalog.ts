import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

/**
 * Complains about a path below the catalog that leads out of it through a link: what Trove writes there would
 * land on somebody else's file.
 */
export async function leadsOutOfCatalog(
  path: string,
  { catalogFolder, io }: CommandContext,
): Promise<Diagnostic | undefined> {
  const root = await realAncestor(resolve(io.cwd, catalogFolder));
  const real = await realAncestor(path);
  if (real === root || !relative(root, real).startsWith('..')) return undefined;
  const hint = 'replace the link by a folder or a file of its own';
  return error('link-out-of-catalog', 'a link leads out of the catalog', { subject: path, hint });
}

/** The real path of what exists of a path: the file itself, or the nearest folder above it. */
async function realAncestor(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : realAncestor(above);
  }
}
