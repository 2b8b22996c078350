import { resolve } from 'node:path';
import { type NamedIds, readImportFile } from '../../state/import/import-file.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { workingFolder } from '../output/inside-catalog.ts';
import type { ImportOptions } from './options.ts';

/** Undefined where neither a pair nor a file is named, or both. */
export async function namedIds(
  { io }: CommandContext,
  address: string | undefined,
  id: string | undefined,
  { file }: ImportOptions,
): Promise<NamedIds | undefined> {
  if (file !== undefined)
    return address === undefined ? readImportFile(resolve(io.cwd, file), file, workingFolder(io)) : undefined;
  if (address === undefined || id === undefined) return undefined;
  return {
    ids: [{ address, id, place: (part) => ({ subject: part === 'id' ? id : address }) }],
    problems: [],
  };
}

export function noIds({ flags }: CommandContext): Diagnostic {
  const hint = `trove import${flags} ADDRESS ID, or trove import${flags} --file FILE`;
  return error('no-ids', 'name an address with its id, or a file of them, and not both', { hint });
}
