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

const columns = ['address', 'id'] as const;

type Column = (typeof columns)[number];
type Row = readonly CsvCell[];

/** Ids in CSV: the first row names the columns, of which `address` and `id` count, in any order. */
export function readIdTable(source: SourceText): NamedIds {
  const read = readCsv(source);
  if (!read.ok) return { ids: [], problems: read.diagnostics };
  const [header = [], ...rows] = read.value;
  const at = { address: indexOf('address', header), id: indexOf('id', header) };
  const problems = headerProblems(header, source);
  if (problems.length > 0) return { ids: [], problems };
  const named = rows.map((row) => namedIn(row, at));
  return {
    ids: named,
    problems: problemsIn(named, ({ id, place }) =>
      id === undefined ? () => error('import-form', 'no id stands here', place('id')) : undefined,
    ),
  };
}

function indexOf(column: Column, header: Row): number {
  return header.findIndex(({ text }) => text.toLowerCase() === column);
}

/** A cell that is missing or empty is complained about where the row ends, or where it should have stood. */
function namedIn(row: Row, at: Readonly<Record<Column, number>>): NamedId {
  const place: NamedId['place'] = (part) => placeIn(row, at[part]);
  const id = row[at.id]?.text;
  return { address: row[at.address]?.text ?? '', ...(id && { id }), place };
}

function placeIn(row: Row, column: number): Place {
  const cell = row[column]?.location;
  if (cell) return { location: cell };
  const last = row.at(-1)?.location;
  return last ? { location: { ...last, start: last.end } } : {};
}

function headerProblems(header: Row, source: SourceText): readonly Diagnostic[] {
  const start = header[0]?.location.start ?? 0;
  const whole = { source, start, end: header.at(-1)?.location.end ?? start };
  if (header.length === 1 && /[;\t]/.test(header[0]?.text ?? '')) {
    const hint = 'address,id';
    return [error('import-form', 'the cells of a row are separated by commas', { location: whole, hint })];
  }
  return columns.flatMap((column) => {
    const found = header.filter(({ text }) => text.toLowerCase() === column);
    if (found.length === 1) return [];
    const [first, second] = found;
    if (first && second) {
      const related = [{ message: 'the other', location: first.location }];
      return [
        error('import-form', `two columns are named ${quoted(column)}`, {
          location: second.location,
          related,
        }),
      ];
    }
    return [
      error('import-form', `no column is named ${quoted(column)}`, {
        location: whole,
        hint: hintFor(column, header),
      }),
    ];
  });
}

function hintFor(column: Column, header: Row): string {
  const meant = nearest(
    column,
    header.map(({ text }) => text),
  );
  return meant
    ? `is it ${quoted(meant)}? Name it ${quoted(column)}`
    : 'the first row names the columns: address,id';
}

type Path = readonly string[];

/**
 * Ids in YAML, or in JSON, which is YAML too: a mapping of addresses to ids. A classifier may give its options as
 * well: `classifier.rarity: { id: ID, options: { rare: OPTION_ID } }`.
 */
export async function readIdMapping(source: SourceText): Promise<NamedIds> {
  const { document, diagnostics } = await readYaml(source);
  if (document === undefined) return { ids: [], problems: diagnostics };
  const reader = new MappingReader(document);
  reader.read();
  // A number that can't be kept exactly is told once, and there with what to write instead.
  const told = new Set(diagnostics.map(({ location }) => location?.start));
  const others = reader.problems.all().filter(({ location }) => !told.has(location?.start));
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
      this.#complain([], 'value', 'a mapping of addresses to ids is expected here', 'item.iron-sword: ID');
      return;
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
    if (options !== undefined) this.#readOptions(address, options);
  }

  #readOptions(address: string, options: unknown): void {
    const path = [address, 'options'];
    if (!isMapping(options)) {
      const hint = 'options: { rare: OPTION_ID }';
      this.#complain(path, 'value', 'a mapping of option keys to ids is expected', hint);
      return;
    }
    for (const [option, id] of Object.entries(options)) {
      this.#readId(`${address}.${option}`, id, [...path, option]);
    }
  }

  /** The key at `path` names the address, and the id stands at `idPath`. */
  #readId(address: string, id: unknown, path: Path, idPath: Path = path): void {
    const place: NamedId['place'] = (part) => ({
      location: part === 'id' ? this.#document.locate(idPath, 'value') : this.#document.locate(path, 'key'),
    });
    if (typeof id === 'string') {
      this.ids.push({ address, id, place });
      return;
    }
    this.ids.push({ address, place });
    this.#complain(idPath, 'value', ...this.#whyNoId(id, idPath));
  }

  #whyNoId(id: unknown, path: Path): readonly [message: string, hint: string] {
    if (id === undefined || id === null) return ['no id stands here', 'write the id of the record'];
    if (typeof id === 'object') return ['an id is one text', 'write the id of the record'];
    const { source, start, end } = this.#document.locate(path);
    const written = source.text.slice(start, end);
    const message = `an id is text, and ${quoted(written)} is read as a ${typeof id === 'number' ? 'number' : 'truth value'}`;
    return [message, `put it in quotes: "${written}"`];
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
