import {
  type AliasEvent,
  type DocumentDirective,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import type { RejectedNumber } from './exact-number.ts';
import { ProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import type { SourceText } from './source.ts';
import { expansionLimit, isRejected, resolvePlain, type Scalar, scalarTags } from './yaml-schema.ts';
import { ABSENT, isMergeKey, type YamlNode } from './yaml-tree.ts';

export interface Found {
  readonly problems: readonly Diagnostic[];
  /** Aliases make the value endless, or larger than any file. */
  readonly isEndless: boolean;
}

/** Everything that is wrong with a document whose syntax is right, each with its place. */
export function problemsOf(
  source: SourceText,
  root: YamlNode,
  directives: readonly DocumentDirective[],
): Found {
  const reader = new ProblemReader(source, directives);
  reader.read(root);
  return { problems: reader.problems.all(), isEndless: reader.isEndless };
}

/** Goes through a document in the order of the text, as an alias stands for what came before it. */
class ProblemReader {
  readonly problems = new ProblemList();
  isEndless = false;
  readonly #source: SourceText;
  readonly #directives: readonly DocumentDirective[];
  /** Values below an anchor, itself included; an anchor without a size is the one that is being read. */
  readonly #sizes = new Map<YamlNode, number>();
  /** Values that came from aliases. */
  #expanded = 0;
  /** The last place with anything written: an empty key is shown there. */
  #last = { start: 0, end: 0 };

  constructor(source: SourceText, directives: readonly DocumentDirective[]) {
    this.#source = source;
    this.#directives = directives;
  }

  /** Gives the number of values that the node stands for, itself included. */
  read(node: YamlNode): number {
    const { event, pairs = [], items = [] } = node;
    this.#last = node.extent ?? this.#last;
    if (event.type === EVENT_ID.ALIAS) return this.#readAlias(node, event);
    if (event.type === EVENT_ID.SCALAR) this.#readScalar(node, event);
    if (event.type === EVENT_ID.SEQUENCE) this.#checkTag(event, 'seq');
    if (event.type === EVENT_ID.MAPPING) this.#checkTag(event, 'map');
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
      const related = this.#related(node.target, 'the anchor that it stands in');
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
    const { text } = this.#source;
    const keys = new Map<string, YamlNode>();
    let size = 0;
    for (const { key, value } of pairs) {
      size += this.read(key);
      const isMerge = isMergeKey(text, key);
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
      const related = this.#related(keys.get(name), 'first declared here');
      this.#report('duplicate-key', message, key, { related });
    }
  }

  #reportKey(key: YamlNode, value: Exclude<Scalar, string> | undefined): void {
    if (typeof value === 'number' && this.#reportDecimalComma(key)) return;
    const shown = value === undefined ? 'a collection' : value === null ? 'null' : `a ${typeof value}`;
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

  #readScalar(node: YamlNode, event: ScalarEvent): void {
    const text = getScalarValue(this.#source.text, event);
    const value = this.#resolved(text, event);
    if (value === undefined) this.#reportTag(event);
    else if (value === NOT_RESOLVED) {
      const tag = quoted(this.#source.text.slice(event.tagStart, event.tagEnd));
      const message = `${quoted(text)} is not what its tag ${tag} says`;
      this.#report('tag-mismatch', message, node, { hint: 'remove the tag' });
    } else if (isRejected(value)) this.#report('inexact-number', value.message, node, { hint: value.hint });
  }

  /** Undefined for a tag that is not known. */
  #resolved(text: string, event: ScalarEvent): Scalar | RejectedNumber | typeof NOT_RESOLVED | undefined {
    if (event.tagStart === ABSENT) return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text;
    const name = this.#fullTag(event);
    if (name === '!') return text;
    if (/^tag:yaml.org,2002:(?:map|seq)$/.test(name)) return NOT_RESOLVED;
    return scalarTags.get(name)?.resolve(text, true, name);
  }

  /** Undefined for a collection. */
  #valueOf({ event, target }: YamlNode): Scalar | undefined {
    const scalar = target?.event ?? event;
    if (scalar.type !== EVENT_ID.SCALAR) return undefined;
    const text = getScalarValue(this.#source.text, scalar);
    const value = this.#resolved(text, scalar);
    if (value === undefined || value === NOT_RESOLVED) return text;
    return isRejected(value) ? value.value : value;
  }

  #checkTag(event: MappingEvent | SequenceEvent, kind: 'map' | 'seq'): void {
    if (event.tagStart === ABSENT) return;
    const name = this.#fullTag(event);
    if (name !== '!' && name !== `tag:yaml.org,2002:${kind}`) this.#reportTag(event);
  }

  /** As in `!!str`, `!<tag:yaml.org,2002:str>` and `!e!thing`; `!` stays `!`. */
  #fullTag({ tagStart, tagEnd }: ScalarEvent | MappingEvent | SequenceEvent): string {
    const tag = this.#source.text.slice(tagStart, tagEnd);
    if (tag.startsWith('!<')) return tag.slice(2, -1);
    const [handle = ''] = /^!(?:[^!]*!)?/.exec(tag) ?? [];
    const declared = this.#directives.find((each) => each.kind === 'tag' && each.handle === handle);
    const prefix = handle === '!!' ? 'tag:yaml.org,2002:' : handle;
    return (declared?.kind === 'tag' ? declared.prefix : prefix) + tag.slice(handle.length);
  }

  #reportTag({ tagStart: start, tagEnd: end }: ScalarEvent | MappingEvent | SequenceEvent): void {
    const location = { source: this.#source, start, end };
    const message = `the tag ${quoted(this.#source.text.slice(start, end))} is not known here`;
    this.problems.add(() => error('unknown-tag', message, { location, hint: 'remove the tag' }));
  }

  #related(node: YamlNode | undefined, message: string): NonNullable<Diagnostic['related']> {
    return [{ message, location: { source: this.#source, ...(node?.extent ?? this.#last) } }];
  }

  #report(rule: string, message: string, at: YamlNode, rest: Partial<Diagnostic> = {}): void {
    const location = { source: this.#source, ...(at.extent ?? this.#last) };
    this.problems.add(() => error(rule, message, { location, ...rest }));
  }
}
