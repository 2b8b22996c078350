import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import type { Location, SourceText } from './source.ts';
import { construct } from './yaml-construct.ts';
import { extentOf } from './yaml-event.ts';
import { MAX_DEPTH, syntaxProblem } from './yaml-syntax.ts';
import { buildTree, type YamlNode } from './yaml-tree.ts';

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

/**
 * Reads one YAML 1.2 document (core schema, merge keys) of at most 100 levels. Of several syntax errors it
 * gives the first; `readYaml` gives all of them.
 */
export function parseYaml(source: SourceText): ParsedYaml {
  const control = controlCharacter(source);
  if (control) return { document: undefined, diagnostics: [control] };
  let events: readonly Event[];
  try {
    events = parseEvents(source.text, { maxDepth: MAX_DEPTH });
  } catch (problem) {
    if (!(problem instanceof YAMLException)) throw problem;
    return { document: undefined, diagnostics: [syntaxProblem(source, problem)] };
  }
  if (events.length === 0) return { document: new EventDocument(source, events, null), diagnostics: [] };
  const several = secondDocument(source, events);
  if (several) return { document: undefined, diagnostics: [several] };
  const { value, problems } = construct(source, events, 0);
  const document = value === undefined ? undefined : new EventDocument(source, events, value);
  return { document, diagnostics: problems };
}

/** Like `parseYaml`, but a file with several syntax errors gives them all (a slower parser that recovers). */
export async function readYaml(source: SourceText): Promise<ParsedYaml> {
  const parsed = parseYaml(source);
  if (!parsed.diagnostics.some((diagnostic) => diagnostic.rule === 'yaml-syntax')) return parsed;
  const { allSyntaxProblems } = await import('./yaml-recover.ts');
  const all = allSyntaxProblems(source);
  return all.length > 0 ? { document: undefined, diagnostics: all } : parsed;
}

/** Looked for first: a parser would take many seconds and hundreds of megabytes for a large file of zeros. */
function controlCharacter(source: SourceText): Diagnostic | undefined {
  const start = source.text.search(/[^\P{Cc}\t\n\r\x7f-\x9f]/u);
  if (start === -1) return undefined;
  const message = 'there is a control character here, which YAML does not allow';
  const hint = source.text.includes('\0') ? 'is it a text file?' : 'remove it';
  return error('control-character', message, { location: { source, start, end: start + 1 }, hint });
}

function secondDocument(source: SourceText, events: readonly Event[]): Diagnostic | undefined {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
  if (second === -1) return undefined;
  const content = events[second + 1];
  const from = content && extentOf(content)?.start;
  const start = Math.max(0, source.text.lastIndexOf('---', from ?? source.text.length));
  const location = { source, start, end: start + 3 };
  const hint = 'put it into a file of its own';
  const message = 'a file holds one document, and a second one begins here';
  return error('several-documents', message, { location, hint });
}

class EventDocument implements YamlDocument {
  readonly source: SourceText;
  readonly value: unknown;
  readonly #events: readonly Event[];
  #tree: YamlNode | undefined;

  constructor(source: SourceText, events: readonly Event[], value: unknown) {
    this.source = source;
    this.value = value;
    this.#events = events;
  }

  locate(path: readonly (string | number)[], part: 'key' | 'value' = 'value'): Location {
    let node = this.#root();
    let key: YamlNode['extent'];
    for (const [index, step] of path.entries()) {
      const entry = node.entries?.get(String(step));
      const next = entry?.value ?? (typeof step === 'number' ? node.items?.[step] : undefined);
      if (next === undefined) return this.#location(key ?? node.extent);
      node = next;
      if (entry?.key || index === path.length - 1) key = entry?.key;
    }
    return this.#location(part === 'key' ? (key ?? node.extent) : (node.extent ?? key));
  }

  #location(extent: YamlNode['extent']): Location {
    return { source: this.source, start: extent?.start ?? 0, end: extent?.end ?? 0 };
  }

  #root(): YamlNode {
    if (this.#events.length === 0) return { extent: undefined };
    this.#tree ??= buildTree(this.source.text, this.#events, 0);
    return this.#tree;
  }
}
