import { extname } from 'node:path';
import { validate } from '../../../generated/import.js';
import schema from '../../../schemas/import.schema.json' with { type: 'json' };
import { type CsvCell, readCsv } from '../../text/csv.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { problemsIn } from '../../text/problem-list.ts';
import { type Folder, readText } from '../../text/read-file.ts';
import { isMapping, type Path, valueAt } from '../../text/schema-path.ts';
import { schemaProblems } from '../../text/schema-problems.ts';
import type { SourceText } from '../../text/source.ts';
import { readYaml, type YamlDocument } from '../../text/yaml.ts';

/** One id that a person names, as it was written: nothing of it is checked yet. */
export interface NamedId {
  /** `item.KEY`, `classifier.KEY` or `classifier.KEY.OPTION`, if the person got it right. */
  readonly address: string;
  /** Absent where what stands there can't be an id and was complained about already. */
  readonly id?: string;
  /** Where a complaint about either part points. */
  readonly place: (part: 'address' | 'id') => Pick<Diagnostic, 'location' | 'subject'>;
}

/** What could be read, and what is wrong with the rest: both, so that all problems can be told at once. */
export interface NamedIds {
  readonly ids: readonly NamedId[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads ids from a YAML, JSON or CSV file, told apart by how its name ends. `shown` is the
 * path as people see it. Any content gives ids or problems, each with its place.
 */
export async function readImportFile(path: string, shown: string, within: Folder): Promise<NamedIds> {
  const ending = extname(shown).toLowerCase();
  if (!['.yaml', '.yml', '.json', '.csv'].includes(ending)) {
    return none(error('import-file', { why: 'ending' }, { subject: shown }));
  }
  const text = await readText(path, shown, within);
  if (!text.ok) return none(text.problem);
  const named = ending === '.csv' ? readIdTable(text.source) : await readIdMapping(text.source);
  const isEmpty = named.ids.length + named.problems.length === 0;
  return isEmpty ? none(error('import-file', { why: 'empty' }, { subject: shown })) : named;
}

function none(...problems: readonly Diagnostic[]): NamedIds {
  return { ids: [], problems };
}

type Row = readonly CsvCell[];

/** IDs in CSV: the first row names the columns, of which `address` and `id` count, in any order. */
export function readIdTable(source: SourceText): NamedIds {
  const read = readCsv(source);
  if (!read.ok) return none(...read.diagnostics);
  const [header = [], ...rows] = read.value;
  const names = header.map(({ text }) => text.toLowerCase());
  const column = { address: names.indexOf('address'), id: names.indexOf('id') };
  if (['address', 'id'].some((name) => names.filter((each) => each === name).length !== 1)) {
    const start = header[0]?.location.start ?? 0;
    const location = { source, start, end: header.at(-1)?.location.end ?? start };
    return none(error('import-form', { why: 'columns' }, { location }));
  }
  const ids = rows.map((row): NamedId => {
    const id = row[column.id]?.text;
    const address = row[column.address]?.text ?? '';
    return { address, ...(id && { id }), place: (part) => placeIn(row, column[part]) };
  });
  const lacking = ids.filter(({ id }) => id === undefined);
  const problem = ({ place }: NamedId) => error('import-form', { why: 'no-id' }, place('id'));
  return { ids, problems: problemsIn(lacking, problem) };
}

/** A cell that is missing is complained about where the row ends. */
function placeIn(row: Row, column: number): ReturnType<NamedId['place']> {
  const cell = row[column]?.location;
  if (cell) return { location: cell };
  const last = row.at(-1)?.location;
  return last ? { location: { ...last, start: last.end } } : {};
}

/**
 * IDs in YAML, or in JSON, which is YAML too: a mapping of addresses to IDs. A classifier may give its options as
 * well: `classifier.rarity: { id: ID, options: { rare: OPTION_ID } }`.
 */
export async function readIdMapping(source: SourceText): Promise<NamedIds> {
  const { document, diagnostics } = await readYaml(source);
  if (document === undefined) return none(...diagnostics);
  const errors = validate(document.value) ? [] : (validate.errors ?? []);
  const problems = schemaProblems(document, schema, errors, diagnostics);
  return { ids: idsIn(document), problems: [...diagnostics, ...problems] };
}

function idsIn(document: YamlDocument): readonly NamedId[] {
  const { value } = document;
  return namesIn(value, []).flatMap((address) => {
    const idPath = isMapping(valueAt(value, [address])) ? [address, 'id'] : [address];
    const options = [address, 'options'];
    return [
      namedId(document, address, [address], idPath),
      ...namesIn(value, options).map((option) =>
        namedId(document, `${address}.${option}`, [...options, option]),
      ),
    ];
  });
}

function namesIn(value: unknown, path: Path): readonly string[] {
  const part = valueAt(value, path);
  return isMapping(part) ? Object.keys(part) : [];
}

/** The key at `path` names the address, and the ID stands at `idPath`. */
function namedId(document: YamlDocument, address: string, path: Path, idPath = path): NamedId {
  const id = valueAt(document.value, idPath);
  const place: NamedId['place'] = (part) => ({
    location: part === 'id' ? document.locate(idPath, 'value') : document.locate(path, 'key'),
  });
  return { address, place, ...(typeof id === 'string' && { id }) };
}
