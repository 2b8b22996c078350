import {
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Path } from './schema-path.ts';

/** js-yaml writes -1 where a part of an event is not there. */
export const ABSENT = -1;

type NodeEvent = ScalarEvent | MappingEvent | SequenceEvent;

/** A stretch of the text: offsets from `start` up to but not including `end`. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Where one value is written, and where what is in it is written. */
export interface YamlNode {
  readonly event: Event;
  /** Undefined where nothing is written, as after `name:`. */
  readonly extent: Extent | undefined;
  /** The entries of a mapping in the order of the text, duplicates and merge keys among them. */
  readonly pairs?: readonly YamlPair[];
  readonly items?: readonly YamlNode[];
  /** What an alias stands for; undefined where no anchor comes before it. Never an alias. */
  readonly target?: YamlNode | undefined;
}

export interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

interface Walk {
  readonly text: string;
  readonly events: readonly Event[];
  readonly anchors: Map<string, YamlNode>;
  at: number;
}

/** The places in the first document of `events`, which js-yaml made of `text`. */
export function buildTree(text: string, events: readonly Event[]): YamlNode {
  return node({ text, events, anchors: new Map(), at: 1 });
}

export function isTagged(event: Event): event is NodeEvent {
  return 'tagStart' in event && event.tagStart !== ABSENT;
}

/** The text of a scalar, or of the one that an alias stands for; undefined for a collection. */
export function textOf(text: string, { event, target }: YamlNode): string | undefined {
  if (target) return textOf(text, target);
  return event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : undefined;
}

/** Only a plain, untagged `<<` merges; a quoted one is an ordinary key. */
export function isMergeKey(text: string, { event }: YamlNode): boolean {
  return (
    event.type === EVENT_ID.SCALAR &&
    event.style === SCALAR_STYLE.PLAIN &&
    event.tagStart === ABSENT &&
    text.startsWith('<<', event.valueStart) &&
    event.valueEnd === event.valueStart + 2
  );
}

/** The entries of a mapping by their keys, merged ones included. Of duplicates it is the last. */
export function entriesOf(text: string, node: YamlNode): ReadonlyMap<string, YamlPair> {
  const own = new Map<string, YamlPair>();
  const merged = new Map<string, YamlPair>();
  for (const pair of (node.target ?? node).pairs ?? []) {
    const name = textOf(text, pair.key);
    if (isMergeKey(text, pair.key)) {
      const { target = pair.value } = pair.value;
      for (const source of target.items ?? [target])
        for (const [key, entry] of entriesOf(text, source)) if (!merged.has(key)) merged.set(key, entry);
    } else if (name !== undefined) own.set(name, pair);
  }
  return new Map([...merged, ...own]);
}

/** The paths of what an alias without an anchor stands for, or is merged into. Only of a tree that is not endless. */
export function* unknownPaths(text: string, root: YamlNode, path: Path = []): Iterable<Path> {
  if (isIncomplete(text, root)) return yield path;
  const { items = [] } = root.target ?? root;
  for (const [index, item] of items.entries()) yield* unknownPaths(text, item, [...path, index]);
  for (const [key, { value }] of entriesOf(text, root)) yield* unknownPaths(text, value, [...path, key]);
}

function isIncomplete(text: string, { event, target, pairs = target?.pairs ?? [] }: YamlNode): boolean {
  if (event.type === EVENT_ID.ALIAS && !target) return true;
  const merged = pairs.filter(({ key }) => isMergeKey(text, key)).map(({ value }) => value);
  return merged.some((value) =>
    ((value.target ?? value).items ?? [value]).some((source) => isIncomplete(text, source)),
  );
}

function node(walk: Walk): YamlNode {
  const event = walk.events[walk.at++];
  switch (event?.type) {
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return collection(walk, event);
    case EVENT_ID.ALIAS: {
      const extent = { start: event.anchorStart - 1, end: event.anchorEnd };
      return { event, extent, target: walk.anchors.get(walk.text.slice(event.anchorStart, event.anchorEnd)) };
    }
    case EVENT_ID.SCALAR: {
      const scalar = { event, extent: scalarExtent(event) };
      setAnchor(walk, scalar, event);
      return scalar;
    }
    default:
      throw new Error('The events end inside of a document');
  }
}

function collection(walk: Walk, event: MappingEvent | SequenceEvent): YamlNode {
  const pairs: YamlPair[] = [];
  const items: YamlNode[] = [];
  const extent = { start: event.start, end: event.start + 1 };
  const made = { event, extent, ...(event.type === EVENT_ID.MAPPING ? { pairs } : { items }) };
  // An alias inside of it may refer to it.
  setAnchor(walk, made, event);
  let last: number | undefined;
  while (walk.events[walk.at]?.type !== EVENT_ID.POP) {
    const child = node(walk);
    const value = event.type === EVENT_ID.MAPPING ? node(walk) : undefined;
    if (value) pairs.push({ key: child, value });
    else items.push(child);
    last = value?.extent?.end ?? child.extent?.end ?? last;
  }
  walk.at++;
  extent.end = endOf(walk.text, event.start, last);
  return made;
}

function setAnchor({ text, anchors }: Walk, anchored: YamlNode, { anchorStart, anchorEnd }: NodeEvent): void {
  if (anchorStart !== ABSENT) anchors.set(text.slice(anchorStart, anchorEnd), anchored);
}

/** With its quotes. */
function scalarExtent(event: ScalarEvent): Extent | undefined {
  if (event.valueStart === ABSENT) {
    if (event.anchorStart === ABSENT) return undefined;
    return { start: event.anchorStart - 1, end: event.anchorEnd };
  }
  const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return { start: event.valueStart - Number(isQuoted), end: event.valueEnd + Number(isQuoted) };
}

const NOTHING_MORE = /(?:[\s,]|#[^\n]*)*/y;

/** A flow collection ends with its bracket, a block one with the last thing in it. */
function endOf(text: string, start: number, lastEnd: number = start + 1): number {
  const open = text[start];
  if (open !== '[' && open !== '{') return lastEnd;
  NOTHING_MORE.lastIndex = lastEnd;
  const end = NOTHING_MORE.test(text) ? NOTHING_MORE.lastIndex : start;
  return text[end] === (open === '[' ? ']' : '}') ? end + 1 : lastEnd;
}
