import { type AliasEvent, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import { ProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import type { Location, SourceText } from './source.ts';
import { ABSENT, isMergeKey, isTagged, type YamlNode } from './yaml-tree.ts';
import { expansionLimit, resolvePlain } from './yaml-values.ts';

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
    if (node.target === undefined)
      this.#report('unknown-alias', `no anchor ${quoted(`&${name}`)} comes before this alias`, node);
    else if (size === undefined) {
      this.isEndless = true;
      const message = `the alias ${quoted(`*${name}`)} refers to the node that it stands in`;
      const related = [{ role: 'anchor', location: this.#placeOf(node.target) } as const];
      this.#report('self-alias', message, node, { related });
    } else this.#expand(node, size);
    return size ?? 1;
  }

  #expand(node: YamlNode, size: number): void {
    const limit = expansionLimit(this.#source.text);
    this.#expanded += size;
    if (this.isEndless || this.#expanded <= limit) return;
    this.isEndless = true;
    const message = `the aliases of this file stand for more than ${limit} values`;
    this.#report('alias-limit', message, node, { hint: 'write fewer or smaller aliases' });
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
    else if (name === '__proto__') {
      const hint = 'choose another key';
      this.#report('reserved-key', 'the key `__proto__` is not allowed', key, { hint });
    } else if (!keys.has(name)) keys.set(name, key);
    else {
      const message = `the key ${quoted(name)} is declared twice in this mapping`;
      const related = [{ role: 'first-declared', location: this.#placeOf(keys.get(name) ?? key) } as const];
      this.#report('duplicate-key', message, key, { related });
    }
  }

  #reportKey(key: YamlNode, value: unknown): void {
    const isNumber = typeof value === 'number' || (typeof value === 'object' && value !== null);
    if (isNumber && this.#reportDecimalComma(key)) return;
    const type = isNumber ? 'a number' : `a ${typeof value}`;
    const shown = value === undefined ? 'a collection' : value === null ? 'null' : type;
    const hint = value === undefined ? {} : { hint: 'put the key in quotes' };
    this.#report('non-string-key', `a key must be text, and this one is read as ${shown}`, key, hint);
  }

  /** Between braces a comma ends the value: what was meant as the number `1,5` reads as 1 and then a key 5. */
  #reportDecimalComma({ extent }: YamlNode): boolean {
    const { text } = this.#source;
    const whole = extent && /[-+]?\d+,$/.exec(text.slice(Math.max(0, extent.start - 20), extent.start))?.[0];
    if (!whole) return false;
    const location = { source: this.#source, start: extent.start - whole.length, end: extent.end };
    const number = text.slice(location.start, location.end);
    const hint = `write ${quoted(number.replace(',', '.'))}`;
    const message = `the comma in ${quoted(number)} ends the value`;
    this.problems.add(() => error('decimal-comma', message, { location, hint }));
    return true;
  }

  #checkMerge(key: YamlNode, value: YamlNode): void {
    const given = value.target ?? value;
    const sources = given.items ?? [given];
    // An alias without an anchor is reported as that.
    const isMergeable = ({ event, pairs, target }: YamlNode) =>
      pairs || target?.pairs || (event.type === EVENT_ID.ALIAS && !target);
    if (sources.every(isMergeable)) return;
    const hint = 'give it an alias such as `*defaults`';
    this.#report('bad-merge', 'a merge key `<<` takes a mapping or a list of mappings', key, { hint });
  }

  #readScalar(node: YamlNode, { tagStart }: ScalarEvent): void {
    const value = tagStart === ABSENT ? this.#valueOf(node) : undefined;
    if (typeof value === 'object' && value)
      this.#report('inexact-number', value.message, node, { hint: value.hint });
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
    const message = `the tag ${quoted(this.#source.text.slice(start, end))} is not known here`;
    const hint = 'remove the tag; text that looks like a number goes in quotes';
    this.problems.add(() => error('unknown-tag', message, { location, hint }));
  }

  #placeOf(node: YamlNode): Location {
    return { source: this.#source, ...(node.extent ?? this.#last) };
  }

  #report(rule: string, message: string, at: YamlNode, rest: Partial<Diagnostic> = {}): void {
    const location = this.#placeOf(at);
    this.problems.add(() => error(rule, message, { location, ...rest }));
  }
}
