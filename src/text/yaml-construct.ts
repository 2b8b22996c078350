import {
  type DocumentDirective,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Diagnostic } from './diagnostic.ts';
import { ProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import type { SourceText } from './source.ts';
import { type Anchors, finishAnchor, isOverExpanded, openAnchor, resolveAlias } from './yaml-anchors.ts';
import { ABSENT } from './yaml-event.ts';
import {
  reportDuplicate,
  reportKey,
  reportMerge,
  reportProblem,
  reportPrototypeKey,
  reportUnknownTag,
} from './yaml-problems.ts';
import { resolvePlain, resolveTagged } from './yaml-scalar.ts';
import { fullTagName } from './yaml-tag.ts';

interface Construction extends Anchors {
  readonly directives: readonly DocumentDirective[];
  /** Index of the next event. */
  at: number;
}

/**
 * Builds the plain value of the one document that begins at `events[at]`, and reports everything that is wrong
 * with it. Each problem leaves something harmless in its place so that reading goes on. The value is undefined
 * where aliases mean more than the limit.
 */
export function construct(
  source: SourceText,
  events: readonly Event[],
  at: number,
): { value: unknown; problems: readonly Diagnostic[] } {
  const first = events[at];
  const directives = first?.type === EVENT_ID.DOCUMENT ? first.directives : [];
  const c: Construction = {
    source,
    text: source.text,
    events,
    directives,
    anchors: new Map(),
    problems: new ProblemList(),
    at: at + 1,
    size: 0,
    expanded: 0,
  };
  const value = node(c);
  return { value: isOverExpanded(c) ? undefined : value, problems: c.problems.all() };
}

function node(c: Construction): unknown {
  const at = c.at++;
  const event = c.events[at];
  if (event === undefined) throw new Error('The event stream ends inside a node');
  c.size++;
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return scalar(c, event, at);
    case EVENT_ID.MAPPING:
      return mapping(c, event, at);
    case EVENT_ID.SEQUENCE:
      return sequence(c, event, at);
    case EVENT_ID.ALIAS:
      return resolveAlias(c, event);
    default:
      throw new Error(`Event ${event.type} does not begin a node`);
  }
}

function scalar(c: Construction, event: ScalarEvent, at: number): unknown {
  const text = event.fast ? c.text.slice(event.valueStart, event.valueEnd) : getScalarValue(c.text, event);
  const plain = event.style === SCALAR_STYLE.PLAIN;
  let value = event.tagStart === ABSENT ? (plain ? resolvePlain(text) : text) : tagged(c, event, text);
  if (typeof value === 'object' && value !== null) {
    reportProblem(c, event, 'inexact-number', value.message, { hint: value.hint });
    value = value.value;
  }
  if (event.anchorStart !== ABSENT) finishAnchor(c, openAnchor(c, event, at, value), value, c.size - 1);
  return value;
}

function tagged(c: Construction, event: ScalarEvent, text: string): ReturnType<typeof resolvePlain> {
  const raw = c.text.slice(event.tagStart, event.tagEnd);
  const value = resolveTagged(fullTagName(raw, c.directives), text);
  if (value === 'unknown-tag') {
    reportUnknownTag(c, event);
    return text;
  }
  if (value !== 'misfit') return value;
  const message = `${quoted(text)} is not what its tag ${quoted(raw)} says`;
  reportProblem(c, event, 'tag-mismatch', message, { hint: 'remove the tag' });
  return text;
}

function sequence(c: Construction, event: SequenceEvent, at: number): unknown[] {
  const value: unknown[] = [];
  const before = c.size - 1;
  if (event.tagStart !== ABSENT) checkCollectionTag(c, event, 'seq');
  const anchor = event.anchorStart === ABSENT ? undefined : openAnchor(c, event, at, value);
  while (c.events[c.at]?.type !== EVENT_ID.POP) value.push(node(c));
  c.at++;
  if (anchor) finishAnchor(c, anchor, value, before);
  return value;
}

function mapping(c: Construction, event: MappingEvent, at: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const before = c.size - 1;
  if (event.tagStart !== ABSENT) checkCollectionTag(c, event, 'map');
  const anchor = event.anchorStart === ABSENT ? undefined : openAnchor(c, event, at, value);
  let merged: Set<string> | undefined;
  for (let keyAt = c.at; ; keyAt = c.at) {
    const keyEvent = c.events[keyAt];
    if (keyEvent?.type === EVENT_ID.POP) break;
    const key = node(c);
    if (key === '<<' && isMergeKey(keyEvent)) {
      merged = merge(c, value, merged, keyAt);
      continue;
    }
    const child = node(c);
    if (typeof key !== 'string') reportKey(c, keyAt, key);
    else if (key === '__proto__') reportPrototypeKey(c, keyAt);
    else if (!Object.hasOwn(value, key) || merged?.delete(key)) value[key] = child;
    else reportDuplicate(c, at, keyAt, key);
  }
  c.at++;
  if (anchor) finishAnchor(c, anchor, value, before);
  return value;
}

/** Only a plain, untagged `<<` merges; a quoted one is an ordinary key. */
export function isMergeKey(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN && event.tagStart === ABSENT;
}

/** Copies what is not there yet and returns all merged keys: an explicit key may still take their place. */
function merge(
  c: Construction,
  into: Record<string, unknown>,
  already: Set<string> | undefined,
  keyAt: number,
): Set<string> {
  const merged = already ?? new Set<string>();
  const problemsBefore = c.problems.count;
  const given = node(c);
  const sources: readonly unknown[] = Array.isArray(given) ? given : [given];
  for (const source of sources) {
    if (isMapping(source)) mergeOne(into, source, merged);
    else if (c.problems.count === problemsBefore) reportMerge(c, keyAt);
  }
  return merged;
}

function mergeOne(into: Record<string, unknown>, source: Record<string, unknown>, merged: Set<string>): void {
  for (const key of Object.keys(source)) {
    if (Object.hasOwn(into, key)) continue;
    into[key] = source[key];
    merged.add(key);
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkCollectionTag(c: Construction, event: SequenceEvent | MappingEvent, kind: 'seq' | 'map'): void {
  const name = fullTagName(c.text.slice(event.tagStart, event.tagEnd), c.directives);
  if (name !== '!' && name !== `tag:yaml.org,2002:${kind}`) reportUnknownTag(c, event);
}
