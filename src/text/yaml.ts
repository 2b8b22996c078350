import { COLLECTION_STYLE, EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import { withStandIn } from './sound-part.ts';
import type { Location, SourceText } from './source.ts';
import { ProblemReader } from './yaml-problems.ts';
import {
  ABSENT,
  buildTree,
  type Extent,
  entriesOf,
  isTagged,
  unknownPaths,
  type YamlNode,
  type YamlPair,
} from './yaml-tree.ts';
import { construct } from './yaml-values.ts';

/** Levels of nesting that a file may have; both parsers recurse, and one of them can end the process. */
const MAX_DEPTH = 100;

/** A YAML file's one document: its plain value, and where each part of the value is written. */
export interface YamlDocument {
  readonly source: SourceText;
  /** Plain objects, arrays and scalars; numbers are exact. Null for a file without content. Treat as frozen. */
  readonly value: unknown;
  /**
   * Where the value (or, in a mapping, the key) at `path` is written, followed through aliases and merge keys.
   * A path that does not exist gives the nearest parent that does, by its key where it has one.
   */
  locate(path: readonly (string | number)[], part?: 'key' | 'value'): Location;
}

export interface ParsedYaml {
  /** Undefined where the text could not be read as one document. */
  readonly document: YamlDocument | undefined;
  /** Everything that is wrong; a document may come with some, and its value then has harmless stand-ins. */
  readonly diagnostics: readonly Diagnostic[];
}

/** More than a hundred thousand items in one file: each value that is wrong takes memory of its own. */
const MOST_EVENTS = 1_500_000;

/**
 * Reads one YAML 1.2 document (core schema, merge keys) of at most 100 levels. Of several syntax errors it
 * gives the first; `readYaml` gives all of them.
 */
export function parseYaml(source: SourceText): ParsedYaml {
  const control = controlCharacter(source);
  if (control) return { document: undefined, diagnostics: [control] };
  let events: Event[];
  try {
    events = parseEvents(source.text, { maxDepth: MAX_DEPTH });
  } catch (problem) {
    if (!(problem instanceof YAMLException)) throw problem;
    return { document: undefined, diagnostics: [syntaxProblem(source, problem)] };
  }
  if (events.length > MOST_EVENTS) {
    const location = { source, start: 0, end: 0 };
    return { document: undefined, diagnostics: [error('yaml-size', { most: MOST_EVENTS }, { location })] };
  }
  return read(source, events);
}

/** Like `parseYaml`, but a file with several syntax errors gives them all (a slower parser that recovers). */
export async function readYaml(source: SourceText): Promise<ParsedYaml> {
  const parsed = parseYaml(source);
  if (!parsed.diagnostics.some((diagnostic) => diagnostic.rule === 'yaml-syntax')) return parsed;
  const { allSyntaxProblems } = await import('./yaml-syntax.ts');
  const all = allSyntaxProblems(source, MAX_DEPTH);
  return all.length > 0 ? { document: undefined, diagnostics: all } : parsed;
}

/** Looked for first: a parser would take many seconds and hundreds of megabytes for a large file of zeros. */
function controlCharacter(source: SourceText): Diagnostic | undefined {
  const start = source.text.search(/[^\P{Cc}\t\n\r\x7f-\x9f]/u);
  if (start === -1) return undefined;
  const location = { source, start, end: start + 1 };
  return error('control-character', { isBinary: source.text.includes('\0') }, { location });
}

/** js-yaml makes the value, and only a file that causes doubt is read again, for what is wrong and where. */
function read(source: SourceText, events: Event[]): ParsedYaml {
  // What an alias stands for has a limit that js-yaml does not have, and no tag is allowed.
  const isDoubt = (event: Event) => event.type === EVENT_ID.ALIAS || isTagged(event);
  let isDoubtful = /[*!]/.test(source.text) && events.some(isDoubt);
  const usable = isDoubtful ? harmless(source.text, events) : events;
  let values: readonly unknown[] = [];
  let refusal: YAMLException | undefined;
  try {
    values = construct(source.text, usable, () => {
      isDoubtful = true;
    });
  } catch (problem) {
    if (!(problem instanceof YAMLException)) throw problem;
    refusal = problem;
  }
  const document = new EventDocument(source, events, values[0] ?? null);
  if (!refusal && !isDoubtful && values.length < 2) return { document, diagnostics: [] };
  const several = secondDocument(source, events);
  if (several) return { document: undefined, diagnostics: [several] };
  const reader = new ProblemReader(source);
  if (document.root) reader.read(document.root);
  if (refusal && reader.problems.count === 0) reader.problems.addAll([syntaxProblem(source, refusal)]);
  const diagnostics = reader.problems.all();
  if (refusal || reader.isEndless || !document.root) return { document: undefined, diagnostics };
  if (usable.length === events.length) return { document, diagnostics };
  // No file has this number, and it fits no schema.
  const value = withStandIn(Number.NaN, document.value, [...unknownPaths(source.text, document.root)]);
  return { document: new EventDocument(source, events, value), diagnostics };
}

/** Without tags, and with an empty mapping for what an alias without an anchor stands for: it can be merged, too. */
function harmless(text: string, events: readonly Event[]): Event[] {
  const anchors = new Set<string>();
  return events.flatMap((event): Event | Event[] => {
    if (!('anchorStart' in event) || event.anchorStart === ABSENT) return withoutTag(event);
    const name = text.slice(event.anchorStart, event.anchorEnd);
    if (event.type !== EVENT_ID.ALIAS) anchors.add(name);
    return anchors.has(name) ? withoutTag(event) : [EMPTY_MAPPING, { type: EVENT_ID.POP }];
  });
}

const EMPTY_MAPPING: Event = {
  type: EVENT_ID.MAPPING,
  start: 0,
  anchorStart: ABSENT,
  anchorEnd: ABSENT,
  tagStart: ABSENT,
  tagEnd: ABSENT,
  style: COLLECTION_STYLE.FLOW,
};

function withoutTag(event: Event): Event {
  return isTagged(event) ? { ...event, tagStart: ABSENT, tagEnd: ABSENT } : event;
}

function secondDocument(source: SourceText, events: readonly Event[]): Diagnostic | undefined {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
  if (second === -1) return undefined;
  const { extent } = buildTree(source.text, events.slice(second));
  const start = Math.max(0, source.text.lastIndexOf('---', extent?.start ?? source.text.length));
  const location = { source, start, end: start + 3 };
  return error('several-documents', {}, { location });
}

class EventDocument implements YamlDocument {
  readonly source: SourceText;
  readonly value: unknown;
  readonly #events: readonly Event[];
  readonly #entries = new Map<YamlNode, ReadonlyMap<string, YamlPair>>();
  #root: YamlNode | undefined;

  constructor(source: SourceText, events: readonly Event[], value: unknown) {
    this.source = source;
    this.value = value;
    this.#events = events;
  }

  locate(path: readonly (string | number)[], part: 'key' | 'value' = 'value'): Location {
    let node = this.root;
    let key: Extent | undefined;
    for (const [index, step] of path.entries()) {
      const entry = node && this.#entriesOf(node).get(String(step));
      const next = entry?.value ?? (node?.target ?? node)?.items?.[Number(step)];
      if (next === undefined) return this.#location(key ?? node?.extent);
      node = next;
      if (entry || index === path.length - 1) key = entry?.key.extent;
    }
    return this.#location(part === 'key' ? (key ?? node?.extent) : (node?.extent ?? key));
  }

  /** Undefined for a file without content. */
  get root(): YamlNode | undefined {
    if (this.#events.length > 0) this.#root ??= buildTree(this.source.text, this.#events);
    return this.#root;
  }

  #entriesOf(node: YamlNode): ReadonlyMap<string, YamlPair> {
    const known = this.#entries.get(node) ?? entriesOf(this.source.text, node);
    this.#entries.set(node, known);
    return known;
  }

  #location(extent: Extent | undefined): Location {
    return { source: this.source, start: extent?.start ?? 0, end: extent?.end ?? 0 };
  }
}

/** js-yaml's first syntax error in its own words, which `readYaml` replaces. */
function syntaxProblem(source: SourceText, { mark, reason }: YAMLException): Diagnostic {
  const start = Math.min(mark?.position ?? 0, source.text.length);
  const location = { source, start, end: Math.min(start + 1, source.text.length) };
  if (reason.startsWith('nesting exceeded')) return error('yaml-depth', { most: MAX_DEPTH }, { location });
  // Only its words about tags repeat the text, which may be a secret.
  const isTag = reason.includes('tag');
  const values = isTag
    ? ({ why: 'tag', character: '!' } as const)
    : ({ why: 'other', words: reason } as const);
  return error('yaml-syntax', values, { location });
}
