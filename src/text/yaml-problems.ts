import { type AliasEvent, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { error, type Problems, type Role, type Rule } from './diagnostic.ts';
import { ProblemList } from './problem-list.ts';
import type { Location, SourceText } from './source.ts';
import { ABSENT, isMergeKey, isTagged, type YamlNode } from './yaml-tree.ts';
import { expansionLimit, resolvePlain } from './yaml-values.ts';

interface OtherEnd {
  readonly role: Role;
  readonly of: YamlNode;
}

/** Goes through a document in the order of the text, as an alias stands for what came before it. */
export class ProblemReader {
  /** Everything that is wrong with a document whose syntax is right, each with its place. */
  readonly problems = new ProblemList();
  /** Aliases make the value endless, or larger than any file. */
  isEndless = false;
  readonly #source: SourceText;
  /** Values below an anchor, itself included; an anchor without a size is the one that is being read. */
  readonly #sizes = new Map<YamlNode, number>();
  /** Values that came from aliases. */
  #expanded = 0;
  /** The last place with anything written: an empty key is shown there. */
  #last = { start: 0, end: 0 };

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** Gives the number of values that the node stands for, itself included. */
  read(node: YamlNode): number {
    const { event, pairs = [], items = [] } = node;
    this.#last = node.extent ?? this.#last;
    if (event.type === EVENT_ID.ALIAS) return this.#readAlias(node, event);
    if (event.type === EVENT_ID.SCALAR) this.#readScalar(node, event);
    if (isTagged(event)) this.#reportTag(event.tagStart, event.tagEnd);
    const children = items.reduce((sum, item) => sum + this.read(item), 0);
    const size = 1 + children + this.#readPairs(pairs);
    if ('anchorStart' in event && event.anchorStart !== ABSENT) this.#sizes.set(node, size);
    return size;
  }

  #readAlias(node: YamlNode, event: AliasEvent): number {
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd);
    const size = node.target && this.#sizes.get(node.target);
    if (node.target === undefined) this.#report('unknown-alias', { anchor: name }, node);
    else if (size === undefined) {
      this.isEndless = true;
      this.#report('self-alias', { alias: name }, node, { role: 'anchor', of: node.target });
    } else this.#expand(node, size);
    return size ?? 1;
  }

  #expand(node: YamlNode, size: number): void {
    const most = expansionLimit(this.#source.text);
    this.#expanded += size;
    if (this.isEndless || this.#expanded <= most) return;
    this.isEndless = true;
    this.#report('alias-limit', { most }, node);
  }

  #readPairs(pairs: NonNullable<YamlNode['pairs']>): number {
    const keys = new Map<string, YamlNode>();
    let size = 0;
    for (const { key, value } of pairs) {
      size += this.read(key);
      const isMerge = isMergeKey(this.#source.text, key);
      if (!isMerge) this.#checkKey(key, keys);
      size += this.read(value);
      if (isMerge) this.#checkMerge(key, value);
    }
    return size;
  }

  #checkKey(key: YamlNode, keys: Map<string, YamlNode>): void {
    const name = this.#valueOf(key);
    if (typeof name !== 'string') this.#reportKey(key, name);
    else if (name === '__proto__') this.#report('reserved-key', { key: name }, key);
    else if (!keys.has(name)) keys.set(name, key);
    else {
      const first = { role: 'first-declared', of: keys.get(name) ?? key } as const;
      this.#report('duplicate-key', { kind: 'key', key: name, isLocal: true }, key, first);
    }
  }

  #reportKey(key: YamlNode, value: unknown): void {
    const isNumber = typeof value === 'number' || (typeof value === 'object' && value !== null);
    if (isNumber && this.#reportDecimalComma(key)) return;
    const type = isNumber
      ? 'number'
      : value === null
        ? 'null'
        : value === undefined
          ? 'collection'
          : typeof value;
    this.#report('non-string-key', { type }, key);
  }

  /** Between braces a comma ends the value: what was meant as the number `1,5` reads as 1 and then a key 5. */
  #reportDecimalComma({ extent }: YamlNode): boolean {
    const { text } = this.#source;
    const whole = extent && /[-+]?\d+,$/.exec(text.slice(Math.max(0, extent.start - 20), extent.start))?.[0];
    if (!whole) return false;
    const location = { source: this.#source, start: extent.start - whole.length, end: extent.end };
    const number = text.slice(location.start, location.end);
    this.problems.add(() => error('decimal-comma', { number }, { location }));
    return true;
  }

  #checkMerge(key: YamlNode, value: YamlNode): void {
    const given = value.target ?? value;
    const sources = given.items ?? [given];
    // An alias without an anchor is reported as that.
    const isMergeable = ({ event, pairs, target }: YamlNode) =>
      pairs || target?.pairs || (event.type === EVENT_ID.ALIAS && !target);
    if (sources.every(isMergeable)) return;
    this.#report('bad-merge', {}, key);
  }

  #readScalar(node: YamlNode, { tagStart }: ScalarEvent): void {
    const value = tagStart === ABSENT ? this.#valueOf(node) : undefined;
    if (typeof value === 'object' && value) this.#report('inexact-number', value, node);
  }

  /** Undefined for a collection. */
  #valueOf({ event, target }: YamlNode): ReturnType<typeof resolvePlain> | undefined {
    const scalar = target?.event ?? event;
    if (scalar.type !== EVENT_ID.SCALAR) return undefined;
    const text = getScalarValue(this.#source.text, scalar);
    return scalar.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text;
  }

  #reportTag(start: number, end: number): void {
    const location = { source: this.#source, start, end };
    const tag = this.#source.text.slice(start, end);
    this.problems.add(() => error('unknown-tag', { tag }, { location }));
  }

  #placeOf(node: YamlNode): Location {
    return { source: this.#source, ...(node.extent ?? this.#last) };
  }

  #report<R extends Rule>(rule: R, values: Problems[R], at: YamlNode, other?: OtherEnd): void {
    const location = this.#placeOf(at);
    const related = other && [{ role: other.role, location: this.#placeOf(other.of) }];
    this.problems.add(() => error(rule, values, { location, ...(related && { related }) }));
  }
}
