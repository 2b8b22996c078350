import { error } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { SourceText } from '../../text/source.ts';
import { readYaml, type YamlDocument } from '../../text/yaml.ts';
import type { NamedId, NamedIds } from './named-id.ts';

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

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
