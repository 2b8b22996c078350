import { stringify } from 'yaml';
import fc from './property.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Draws a whole number below `limit`. */
type Draw = (limit: number) => number;

/**
 * A catalog or environment file as hands write one: keys in any order, blocks and brackets, any indent, blank lines,
 * quotes, anchors with their aliases and merge keys. Comments say what they belong to: `# above KEY 7`, `# beside
 * KEY 8`. The text is a valid file where the value was, though not the same: a merge key may add to an item.
 */
export function handwritten(file: object): fc.Arbitrary<string> {
  return fc.infiniteStream(fc.nat(1_000_000)).map((stream) => {
    const draw: Draw = (limit) => (stream.next().value ?? 0) % limit;
    return new Hand(draw).file(file as Mapping);
  });
}

class Hand {
  readonly #draw: Draw;
  readonly #anchors: string[] = [];
  #count = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  file(catalog: Mapping): string {
    const head = this.#chance(2) ? '# yaml-language-server: $schema=x\n' : '';
    const indent = this.#chance(4) ? 2 : 0;
    const body = this.#block(catalog, indent, 'file');
    const text = head + (this.#chance(2) ? '\n' : '') + body + (this.#chance(4) ? '# the end\n' : '');
    return this.#chance(5) ? text.replaceAll('\n', '\r\n') : text;
  }

  #block(value: Mapping, indent: number, kind: string): string {
    const pad = ' '.repeat(indent);
    const lines = this.#shuffled(value).map(([key, each]) => {
      const above = this.#chance(4) ? `${pad}# above ${key} ${this.#count++}\n` : '';
      const blank = this.#chance(4) ? '\n' : '';
      return `${blank}${above}${pad}${key}:${this.#value(each, indent, key, kind)}`;
    });
    const merged = this.#merge(kind);
    if (merged !== undefined) lines.splice(this.#draw(lines.length + 1), 0, `${pad}<<: ${merged}\n`);
    return lines.join('').replace(/^\n/, '');
  }

  #value(value: unknown, indent: number, key: string, parent: string): string {
    const beside = this.#chance(4) ? `  # beside ${key} ${this.#count++}` : '';
    if (Array.isArray(value) && value.length > 0 && this.#chance(2))
      return `${beside}\n${this.#list(value, indent + this.#draw(4))}`;
    if (!isMapping(value)) {
      const written = this.#scalar(value, indent);
      return written.includes('\n') ? ` ${written}\n` : ` ${written}${beside}\n`;
    }
    const kind = kindOf(key, parent);
    const anchor = this.#anchor(kind);
    const written =
      Object.keys(value).length === 0 || this.#chance(3)
        ? `${anchor} ${this.#flow(value, kind)}${beside}\n`
        : `${anchor}${beside}\n${this.#block(value, indent + 1 + this.#draw(4), kind)}`;
    // Only now: an alias must not lead to what it is in.
    if (anchor !== '') this.#anchors.push(anchor.slice(2));
    return written;
  }

  #list(values: readonly unknown[], indent: number): string {
    const pad = ' '.repeat(indent);
    return values
      .map((each) => {
        const gap = ' '.repeat(1 + this.#draw(3));
        const written = isMapping(each)
          ? this.#block(each, indent + 1 + gap.length, 'element').trimStart()
          : `${this.#scalar(each, indent + 1)}\n`;
        return written.startsWith('#') ? `${pad}-\n${pad} ${gap}${written}` : `${pad}-${gap}${written}`;
      })
      .join('');
  }

  #flow(value: Mapping, kind: string): string {
    const merged = this.#merge(kind);
    const parts = this.#shuffled(value).map(
      ([key, each]) =>
        ` ${key}: ${isMapping(each) ? this.#flow(each, kindOf(key, kind)) : JSON.stringify(each)}`,
    );
    return `{${[...(merged === undefined ? [] : [` <<: ${merged}`]), ...parts].join(',')} }`;
  }

  #scalar(value: unknown, indent: number): string {
    if (
      typeof value === 'string' &&
      this.#chance(3) &&
      /^[a-z]+$/i.test(value) &&
      !/^(?:true|false|null)$/i.test(value)
    )
      return `|-\n${' '.repeat(indent + 1 + this.#draw(4))}${value}`;
    return this.#chance(2)
      ? JSON.stringify(value)
      : stringify(value, {
          lineWidth: 0,
          defaultStringType: 'QUOTE_SINGLE',
          collectionStyle: 'flow',
        }).trimEnd();
  }

  /** Of some items, each of a name of its own. */
  #anchor(kind: string): string {
    return kind === 'item' && this.#chance(3) ? ` &a${this.#count++}` : '';
  }

  #merge(kind: string): string | undefined {
    const { length } = this.#anchors;
    return kind === 'item' && length > 0 && this.#chance(2)
      ? `*${this.#anchors[this.#draw(length)]}`
      : undefined;
  }

  #shuffled(value: Mapping): readonly (readonly [string, unknown])[] {
    return Object.entries(value)
      .map((entry) => ({ entry, at: this.#draw(1000) }))
      .sort((one, other) => one.at - other.at)
      .map(({ entry }) => entry);
  }

  #chance(oneIn: number): boolean {
    return this.#draw(oneIn) === 0;
  }
}

function kindOf(key: string, parent: string): string {
  if (parent === 'file') return key;
  return parent === 'items' ? 'item' : '';
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
