import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';
import { isMergeKey } from './yaml-construct.ts';
import { extentOf } from './yaml-event.ts';

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Where one value stands, and where what is in it stands. Aliases keep their own place and share what is below. */
export interface YamlNode {
  /** Undefined where nothing is written, as after `name:`. */
  readonly extent: Extent | undefined;
  readonly entries?: ReadonlyMap<string, YamlEntry>;
  readonly items?: readonly YamlNode[];
}

export interface YamlEntry {
  readonly key: Extent | undefined;
  readonly value: YamlNode;
}

interface Walk {
  readonly text: string;
  readonly events: readonly Event[];
  readonly anchors: Map<string, YamlNode>;
  at: number;
}

/** The places of the document that begins at `events[at]`. Never fails where `construct` gave a value. */
export function buildTree(text: string, events: readonly Event[], at: number): YamlNode {
  return node({ text, events, anchors: new Map(), at: at + 1 });
}

function node(walk: Walk): YamlNode {
  const event = walk.events[walk.at++];
  if (event?.type === EVENT_ID.ALIAS) {
    const target = walk.anchors.get(walk.text.slice(event.anchorStart, event.anchorEnd));
    return { ...target, extent: extentOf(event) };
  }
  if (event?.type === EVENT_ID.MAPPING) return anchored(walk, event, mapping(walk, event.start));
  if (event?.type === EVENT_ID.SEQUENCE) return anchored(walk, event, sequence(walk, event.start));
  const scalar = { extent: event && extentOf(event) };
  return event?.type === EVENT_ID.SCALAR ? anchored(walk, event, scalar) : scalar;
}

function anchored(walk: Walk, event: { anchorStart: number; anchorEnd: number }, value: YamlNode): YamlNode {
  if (event.anchorStart >= 0) walk.anchors.set(walk.text.slice(event.anchorStart, event.anchorEnd), value);
  return value;
}

function sequence(walk: Walk, start: number): YamlNode {
  const items: YamlNode[] = [];
  while (walk.events[walk.at]?.type !== EVENT_ID.POP) items.push(node(walk));
  walk.at++;
  return { extent: { start, end: endOf(walk.text, start, items.at(-1)?.extent?.end) }, items };
}

function mapping(walk: Walk, start: number): YamlNode {
  const own = new Map<string, YamlEntry>();
  const merged = new Map<string, YamlEntry>();
  let last = start;
  for (let event = walk.events[walk.at]; event && event.type !== EVENT_ID.POP; event = walk.events[walk.at]) {
    const name = keyName(walk, event);
    const key = node(walk).extent;
    const value = node(walk);
    last = value.extent?.end ?? key?.end ?? last;
    if (name === '<<' && isMergeKey(event)) mergeEntries(merged, value);
    else if (name !== undefined && !own.has(name)) own.set(name, { key, value });
  }
  walk.at++;
  for (const [name, entry] of merged) if (!own.has(name)) own.set(name, entry);
  return { extent: { start, end: endOf(walk.text, start, last === start ? undefined : last) }, entries: own };
}

function keyName(walk: Walk, event: Event): string | undefined {
  if (event.type === EVENT_ID.SCALAR) return getScalarValue(walk.text, event);
  if (event.type !== EVENT_ID.ALIAS) return undefined;
  const extent = walk.anchors.get(walk.text.slice(event.anchorStart, event.anchorEnd))?.extent;
  return extent && walk.text.slice(extent.start, extent.end).replace(/^(["'])(.*)\1$/s, '$2');
}

function mergeEntries(into: Map<string, YamlEntry>, source: YamlNode): void {
  for (const from of source.items ?? [source]) {
    for (const [name, entry] of from.entries ?? []) if (!into.has(name)) into.set(name, entry);
  }
}

const NOTHING_MORE = /(?:[\s,]|#[^\n]*)*/y;

/** A flow collection ends with its bracket, a block one with the last thing in it. */
function endOf(text: string, start: number, lastEnd: number | undefined): number {
  const open = text[start];
  if (open !== '[' && open !== '{') return lastEnd ?? start + 1;
  NOTHING_MORE.lastIndex = lastEnd ?? start + 1;
  const end = NOTHING_MORE.test(text) ? NOTHING_MORE.lastIndex : start;
  return text[end] === (open === '[' ? ']' : '}') ? end + 1 : (lastEnd ?? start + 1);
}
