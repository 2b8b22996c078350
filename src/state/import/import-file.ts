import { extname } from 'node:path';
import { type CsvCell, readCsv } from '../../text/csv.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { ProblemList, problemsIn } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import { type Folder, readText } from '../../text/read-file.ts';
import { isMapping } from '../../text/schema-path.ts';
import type { SourceText } from '../../text/source.ts';
import { readYaml, type YamlDocument } from '../../text/yaml.ts';

/**
 * Reads ids from a YAML, JSON or CSV file, told apart by how its name ends. `shown` is the
 * path as people see it. Any content gives ids or problems, each with its place.
 */
export async function readImportFile(path: string, shown: string, within: Folder): Promise<NamedIds> {
  const read = readers.get(extname(shown).toLowerCase());
  if (!read) {
    const hint = 'name it .yaml, .yml, .json or .csv, as its content is';
    const message = "the ending of this file does not say what is in it, so it isn't read";
    return none([error('import-file', message, { subject: shown, hint })]);
  }
  const text = await readText(path, shown, within);
  if (!text.ok) return none([text.problem]);
  const named = await read(text.source);
  const isEmpty = named.ids.length + named.problems.length === 0;
  return isEmpty ? none([error('import-file', 'no ids are named here', { subject: shown })]) : named;
}

function none(problems: readonly Diagnostic[]): NamedIds {
  return { ids: [], problems };
}

type Read = (source: SourceText) => NamedIds | Promise<NamedIds>;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...['.yaml', '.yml', '.json'].map((ending) => [ending, readIdMapping] as const),
  ['.csv', readIdTable],
]);

type Row = readonly CsvCell[];

/** IDs in CSV: the first row names the columns, of which `address` and `id` count, in any order. */
export function readIdTable(source: SourceText): NamedIds {
  const read = readCsv(source);
  if (!read.ok) return none(read.diagnostics);
  const [header = [], ...rows] = read.value;
  const columns = { address: columnsNamed('address', header), id: columnsNamed('id', header) };
  const problems = headerProblems(columns, header, source);
  if (problems.length > 0) return none(problems);
  const [address = 0, id = 0] = [columns.address, columns.id].map(([cell]) =>
    header.indexOf(cell as CsvCell),
  );
  const ids = rows.map((row): NamedId => {
    const text = row[id]?.text;
    const place: NamedId['place'] = (part) => placeIn(row, part === 'id' ? id : address);
    return { address: row[address]?.text ?? '', ...(text && { id: text }), place };
  });
  const lacking = ids.filter(({ id }) => id === undefined);
  const problem = ({ place }: NamedId) => error('import-form', 'no id stands here', place('id'));
  return { ids, problems: problemsIn(lacking, problem) };
}

function columnsNamed(name: string, header: Row): Row {
  return header.filter(({ text }) => text.toLowerCase() === name);
}

/** A cell that is missing or empty is complained about where the row ends. */
function placeIn(row: Row, column: number): Place {
  const cell = row[column]?.location;
  if (cell) return { location: cell };
  const last = row.at(-1)?.location;
  return last ? { location: { ...last, start: last.end } } : {};
}

function headerProblems(
  columns: Readonly<Record<string, Row>>,
  header: Row,
  source: SourceText,
): readonly Diagnostic[] {
  const start = header[0]?.location.start ?? 0;
  const whole = { source, start, end: header.at(-1)?.location.end ?? start };
  if (header.length === 1 && /[;\t]/.test(header[0]?.text ?? '')) {
    const message = 'the cells of a row are separated by commas';
    return [error('import-form', message, { location: whole, hint: 'address,id' })];
  }
  return Object.entries(columns).flatMap(([name, [first, second]]) => {
    if (first && second) {
      const related = [{ message: 'the other', location: first.location }];
      const place = { location: second.location, related };
      return [error('import-form', `two columns are named ${quoted(name)}`, place)];
    }
    if (first) return [];
    const texts = header.map(({ text }) => text);
    const meant = nearest(name, texts);
    const hint = meant
      ? `is it ${quoted(meant)}? Name it ${quoted(name)}`
      : 'the first row names the columns: address,id';
    return [error('import-form', `no column is named ${quoted(name)}`, { location: whole, hint })];
  });
}

type Path = readonly string[];

/**
 * IDs in YAML, or in JSON, which is YAML too: a mapping of addresses to IDs. A classifier may give its options as
 * well: `classifier.rarity: { id: ID, options: { rare: OPTION_ID } }`.
 */
export async function readIdMapping(source: SourceText): Promise<NamedIds> {
  const { document, diagnostics } = await readYaml(source);
  if (document === undefined) return none(diagnostics);
  const reader = new MappingReader(document);
  reader.read();
  // A number that can't be kept exactly is reported once, and there with what to write instead.
  const reported = new Set(diagnostics.map(({ location }) => location?.start));
  const others = reader.problems.all().filter(({ location }) => !reported.has(location?.start));
  return { ids: reader.ids, problems: [...diagnostics, ...others] };
}

class MappingReader {
  readonly ids: NamedId[] = [];
  readonly problems = new ProblemList();
  readonly #document: YamlDocument;

  constructor(document: YamlDocument) {
    this.#document = document;
  }

  read(): void {
    const { value } = this.#document;
    if (!isMapping(value)) {
      const message = 'a mapping of addresses to ids is expected here';
      return void this.#complain([], 'value', message, 'item.iron-sword: ID');
    }
    for (const [address, named] of Object.entries(value)) {
      if (isMapping(named)) this.#readParts(address, named);
      else this.#readId(address, named, [address]);
    }
  }

  #readParts(address: string, { id, options, ...others }: Readonly<Record<string, unknown>>): void {
    for (const key of Object.keys(others)) {
      const meant = nearest(key, ['id', 'options']);
      const hint = meant ? `did you mean ${quoted(meant)}?` : 'there are `id` and `options`';
      this.#complain([address, key], 'key', `${quoted(key)} is not known here`, hint);
    }
    this.#readId(address, id, [address], id === undefined ? [address] : [address, 'id']);
    const path = [address, 'options'];
    if (options !== undefined && !isMapping(options))
      this.#complain(
        path,
        'value',
        'a mapping of option keys to ids is expected',
        'options: { rare: OPTION_ID }',
      );
    for (const [option, optionId] of Object.entries(isMapping(options) ? options : {}))
      this.#readId(`${address}.${option}`, optionId, [...path, option]);
  }

  /** The key at `path` names the address, and the ID stands at `idPath`. */
  #readId(address: string, id: unknown, path: Path, idPath: Path = path): void {
    const place: NamedId['place'] = (part) => ({
      location: part === 'id' ? this.#document.locate(idPath, 'value') : this.#document.locate(path, 'key'),
    });
    this.ids.push({ address, place, ...(typeof id === 'string' && { id }) });
    if (typeof id !== 'string') this.#complain(idPath, 'value', ...this.#whyNoId(id, idPath));
  }

  #whyNoId(id: unknown, path: Path): readonly [message: string, hint: string] {
    if (id === undefined || id === null) return ['no id stands here', 'write the id of the record'];
    if (typeof id === 'object') return ['an id is one text', 'write the id of the record'];
    const { source, start, end } = this.#document.locate(path);
    const written = source.text.slice(start, end);
    const type = typeof id === 'number' ? 'number' : 'truth value';
    return [`an id is text, and ${quoted(written)} is read as a ${type}`, `put it in quotes: "${written}"`];
  }

  #complain(path: Path, part: 'key' | 'value', message: string, hint: string): void {
    this.problems.add(() =>
      error('import-form', message, { location: this.#document.locate(path, part), hint }),
    );
  }
}

/** One id that a person names, as it was written: nothing of it is checked yet. */
export interface NamedId {
  /** `item.KEY`, `classifier.KEY` or `classifier.KEY.OPTION`, if the person got it right. */
  readonly address: string;
  /** Absent where what stands there can't be an id and was complained about already. */
  readonly id?: string;
  /** Where a complaint about either part points. */
  readonly place: (part: 'address' | 'id') => Place;
}

export type Place = Pick<Diagnostic, 'location' | 'subject'>;

/** What could be read, and what is wrong with the rest: both, so that all problems can be told at once. */
export interface NamedIds {
  readonly ids: readonly NamedId[];
  readonly problems: readonly Diagnostic[];
}
