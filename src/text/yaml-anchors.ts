import type { AliasEvent, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';
import { type ProblemLog, reportExpansion, reportSelfAlias, reportUnknownAlias } from './yaml-problems.ts';

/** A file may mean this many nodes through aliases and merge keys, or as many as it has characters. */
const MIN_EXPANSION_LIMIT = 100_000;

export interface Anchor {
  readonly at: number;
  value: unknown;
  /** Nodes below and including it; undefined while it is still being read, so an alias now refers to itself. */
  size: number | undefined;
}

/** What reading one document knows of its anchors, and how much its aliases have made of it. */
export interface Anchors extends ProblemLog {
  readonly text: string;
  readonly anchors: Map<string, Anchor>;
  /** Nodes so far, an alias counting as many as it stands for. */
  size: number;
  /** Nodes that came from aliases. */
  expanded: number;
}

/** What an alias stands for; null where it stands for nothing, which is reported. */
export function resolveAlias(c: Anchors, event: AliasEvent): unknown {
  const name = c.text.slice(event.anchorStart, event.anchorEnd);
  const anchor = c.anchors.get(name);
  if (anchor?.size === undefined) {
    if (anchor) reportSelfAlias(c, event, name, anchor.at);
    else reportUnknownAlias(c, event, name);
    return null;
  }
  c.size += anchor.size - 1;
  const before = c.expanded;
  c.expanded += anchor.size;
  if (c.expanded <= expansionLimit(c)) return anchor.value;
  if (before <= expansionLimit(c)) reportExpansion(c, event, expansionLimit(c));
  return null;
}

export function isOverExpanded(c: Anchors): boolean {
  return c.expanded > expansionLimit(c);
}

function expansionLimit(c: Anchors): number {
  return Math.max(MIN_EXPANSION_LIMIT, c.text.length);
}

/** From here on the name stands for this value, which has no size until it is finished. */
export function openAnchor(
  c: Anchors,
  event: ScalarEvent | SequenceEvent | MappingEvent,
  at: number,
  value: unknown,
): Anchor {
  const anchor: Anchor = { at, value, size: undefined };
  c.anchors.set(c.text.slice(event.anchorStart, event.anchorEnd), anchor);
  return anchor;
}

/** `sizeBefore`: the nodes that were there before this one. */
export function finishAnchor(c: Anchors, anchor: Anchor, value: unknown, sizeBefore: number): void {
  anchor.value = value;
  anchor.size = c.size - sizeBefore;
}
