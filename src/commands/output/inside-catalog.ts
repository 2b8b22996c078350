import { resolve } from 'node:path';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { type Folder, linkOutside } from '../../text/read-file.ts';
import type { CommandContext } from '../invocation/context.ts';
import type { Io } from '../invocation/io.ts';

/**
 * Complains about a path below the catalog that leads out of it through a link: what Trove writes there would
 * land on somebody else's file.
 */
export function leadsOutOfCatalog(
  path: string,
  { catalogFolder, io }: CommandContext,
): Promise<Diagnostic | undefined> {
  return linkOutside(path, path, { path: resolve(io.cwd, catalogFolder), called: 'the catalog' });
}

/** Where files are that a person names. Git keeps links, so what lies there may lead to any file of the machine. */
export function workingFolder({ cwd }: Io): Folder {
  return { path: cwd, called: 'the working folder' };
}
