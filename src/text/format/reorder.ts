import { type Alias, isMap, isSeq, parseDocument, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { KeyOrder } from './key-order.ts';
import { elementStretches, type Stretch, stretchesOf } from './stretches.ts';

/**
 * Puts the keys of every mapping into their order, with comments and blank lines. A mapping in which that would move
 * an alias before its anchor stays as it is, and so does one whose entries can't be told apart safely.
 */
export function reorder(text: string, order: KeyOrder): string {
  return rewritten({ text, node: parseDocument(text).contents, order, from: 0, to: text.length });
}

/** A node with the stretch of text around it. */
interface Place {
  readonly text: string;
  readonly node: unknown;
  readonly order: KeyOrder | undefined;
  readonly from: number;
  readonly to: number;
}

function rewritten({ text, node, order, from, to }: Place): string {
  const stretches =
    (isMap(node) && (stretchesOf(node, text, to) ?? elementStretches(node, text))) ||
    (isSeq(node) && elementsOf(node, text));
  if (!order || !stretches) return text.slice(from, to);
  const sorted = isMap(node) ? inOrder(node, stretches, order.keys) : stretches;
  const written = sorted.map(({ key, value, start, end }) =>
    rewritten({ text, node: value, order: order.below(key), from: start, to: end }),
  );
  if (isMap(node) && !node.flow) keepFirstTight(written, sorted.indexOf(stretches[0] as Stretch));
  return stretches.reduce(
    (before, { end }, at) => {
      const behind = text.slice(end, stretches[at + 1]?.start ?? to);
      return before + written[at] + behind;
    },
    text.slice(from, stretches[0]?.start ?? to),
  );
}

function elementsOf({ items }: YAMLSeq, text: string): readonly Stretch[] {
  return items.flatMap((value) => {
    if (!isMap(value) || !value.range) return [];
    if (value.flow) return [{ key: '', value, start: value.range[0], end: value.range[1] }];
    const last = elementStretches(value, text)?.at(-1);
    return last ? [{ key: '', value, start: value.range[0], end: last.end }] : [];
  });
}

/** Blank lines go with the entry below them, but a block does not begin with one that it did not begin with. */
function keepFirstTight(written: string[], formerFirst: number): void {
  const [first = ''] = written;
  const former = written[formerFirst];
  if (formerFirst === 0 || former === undefined) return;
  const blank = /^(?:[ \t]*\r?\n)*/.exec(first)?.[0] ?? '';
  written[0] = first.slice(blank.length);
  written[formerFirst] = blank + former;
}

function inOrder(map: YAMLMap, stretches: readonly Stretch[], keys: readonly string[]): readonly Stretch[] {
  const rank = ({ key }: Stretch) => (key === '<<' ? -1 : keys.indexOf(key));
  if (keys.length === 0 || stretches.some((each) => rank(each) === -1 && each.key !== '<<')) return stretches;
  const sorted = stretches.toSorted((one, other) => rank(one) - rank(other));
  return keepsAnchors(map, stretches, sorted) ? sorted : stretches;
}

/** Whether every alias still follows its anchor, and no anchor another of its name. */
function keepsAnchors(map: YAMLMap, before: readonly Stretch[], after: readonly Stretch[]): boolean {
  if (before.every((each, at) => each === after[at])) return true;
  const names = new Map(before.map((each, at) => [each, namesIn(map.items[at]?.value)]));
  return before.every((one, at) =>
    before.slice(at + 1).every((other) => {
      const overtaken = after.indexOf(other) < after.indexOf(one);
      return !overtaken || areStrangers(names.get(one), names.get(other));
    }),
  );
}

interface Names {
  readonly anchors: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

function areStrangers(one: Names | undefined, other: Names | undefined): boolean {
  if (!one || !other) return false;
  return (
    ![...one.anchors].some((name) => other.all.has(name)) &&
    ![...other.anchors].some((name) => one.all.has(name))
  );
}

function namesIn(value: unknown): Names {
  const anchors = new Set<string>();
  const all = new Set<string>();
  visit(value as Alias, {
    Alias: (_, { source }) => void all.add(source),
    Value: (_, { anchor }) => {
      if (anchor === undefined) return;
      anchors.add(anchor);
      all.add(anchor);
    },
  });
  return { anchors, all };
}
