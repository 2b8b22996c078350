import { extname } from 'node:path';
import { error } from '../../text/diagnostic.ts';
import { type Folder, readText } from '../../text/read-file.ts';
import type { SourceText } from '../../text/source.ts';
import { readIdMapping } from './id-mapping.ts';
import { readIdTable } from './id-table.ts';
import type { NamedIds } from './named-id.ts';

/**
 * Reads ids from a YAML, JSON or CSV file, told apart by how its name ends. `shown` is the
 * path as people see it. Any content gives ids or problems, each with its place.
 */
export async function readImportFile(path: string, shown: string, within: Folder): Promise<NamedIds> {
  const read = readers.get(extname(shown).toLowerCase());
  if (!read) return { ids: [], problems: [unknownEnding(shown)] };
  const text = await readText(path, shown, within);
  if (!text.ok) return { ids: [], problems: [text.problem] };
  const named = await read(text.source);
  const isEmpty = named.ids.length + named.problems.length === 0;
  return isEmpty
    ? { ids: [], problems: [error('import-file', 'no ids are named here', { subject: shown })] }
    : named;
}

type Read = (source: SourceText) => NamedIds | Promise<NamedIds>;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['.yaml', readIdMapping],
  ['.yml', readIdMapping],
  ['.json', readIdMapping],
  ['.csv', readIdTable],
]);

function unknownEnding(shown: string) {
  const hint = 'name it .yaml, .yml, .json or .csv, as its content is';
  return error('import-file', "the ending of this file does not say what is in it, so it isn't read", {
    subject: shown,
    hint,
  });
}
