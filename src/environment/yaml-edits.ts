import { type Document, isCollection, isMap, isScalar, type Pair, stringify, type YAMLMap } from 'yaml';

/** A stretch of a text, from `start` up to but not including `end`, and what takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after `edits` that don't overlap. Of several that begin at one place the first is done first. */
export function applied(text: string, edits: readonly Edit[]): string {
  const breaks = text.includes('\r\n') ? '\r\n' : '\n';
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (before, { start, end, text: written }) =>
        before.slice(0, start) + written.replaceAll('\n', breaks) + before.slice(end),
      text,
    );
}

type Entries = readonly (readonly [key: string, value: unknown])[];

/** What is to stand in one mapping at the top level. */
export interface Section {
  readonly name: string;
  readonly entries: Entries;
  /** Behind its name where it is new: ` # like this`. */
  readonly comment?: string;
}

/**
 * The edits that set entries of one mapping at the top level of a document and touch nothing else, neither
 * comments nor blanks: a scalar is replaced in place, a new entry gets a line of its own behind the last one.
 * Undefined where the text is written in a way that leaves no such place (an alias, brackets around it all).
 */
export function sectionEdits(
  document: Document,
  text: string,
  { name, entries, comment }: Section,
): readonly Edit[] | undefined {
  const root = document.contents;
  if (!isMap(root) || root.flow) return undefined;
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === name);
  if (!pair) return [appended(text, `${name}:${comment ?? ''}${lines(Object.fromEntries(entries), 2)}\n`)];
  const { value } = pair;
  if (value === null || (isScalar(value) && value.value === null)) {
    const behind = endOfLine(text, endOf(pair) ?? 0);
    return [{ start: behind, end: behind, text: lines(Object.fromEntries(entries), 2) }];
  }
  return isMap(value) ? mapEdits(value, text, entries) : undefined;
}

const plain = { lineWidth: 0 } as const;

function mapEdits(map: YAMLMap, text: string, entries: Entries): readonly Edit[] | undefined {
  const found = new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : undefined, pair]));
  const replaced = entries.flatMap(([key, value]) => {
    const pair = found.get(key);
    return pair ? [replacement(pair, text, value)] : [];
  });
  const added = entries.filter(([key]) => !found.has(key));
  const insertion = added.length > 0 ? [inserted(map, text, added)] : [];
  const edits = [...replaced, ...insertion];
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

function replacement({ key, value }: Pair, text: string, wanted: unknown): Edit | undefined {
  if (isScalar(value) && value.range && typeof wanted === 'string')
    return { start: value.range[0], end: value.range[1], text: stringify(wanted, plain).trimEnd() };
  if (!isMap(value) || value.flow || !value.range || !isScalar(key) || !key.range) return undefined;
  const last = endOf(value.items.at(-1));
  const indent = columnOf(text, value.range[0]);
  return last === undefined
    ? undefined
    : { start: value.range[0], end: last, text: lines(wanted, indent).trim() };
}

function inserted(map: YAMLMap, text: string, added: Entries): Edit | undefined {
  const last = endOf(map.items.at(-1));
  if (map.flow) return insertedInline(map, last, added);
  const first = map.items[0]?.key;
  if (last === undefined || !isScalar(first) || !first.range) return undefined;
  const behind = endOfLine(text, last);
  const indent = columnOf(text, first.range[0]);
  return { start: behind, end: behind, text: lines(Object.fromEntries(added), indent) };
}

/** Between brackets only scalars fit on a line that people like to read. */
function insertedInline(map: YAMLMap, last: number | undefined, added: Entries): Edit | undefined {
  if (!map.range || added.some(([, value]) => typeof value !== 'string')) return undefined;
  const written = added.map(([key, value]) => `${key}: ${value}`).join(', ');
  if (last !== undefined) return { start: last, end: last, text: `, ${written}` };
  return map.items.length === 0
    ? { start: map.range[0], end: map.range[1], text: `{ ${written} }` }
    : undefined;
}

/** Where the last character of an entry stands, without the comment behind it. */
export function endOf(pair: Pair | undefined): number | undefined {
  if (!pair) return undefined;
  const { key, value } = pair;
  if (isCollection(value) && !value.flow) {
    const last: unknown = value.items.at(-1);
    return isMap(value) ? endOf(value.items.at(-1)) : isScalar(last) ? last.range?.[1] : undefined;
  }
  if ((isScalar(value) || isCollection(value)) && value.range) return value.range[1];
  return isScalar(key) ? key.range?.[1] : undefined;
}

/** A mapping in lines of their own, each after a line break. */
function lines(value: unknown, indent: number): string {
  const written = stringify(value, plain).trimEnd();
  return `\n${written}`.replaceAll('\n', `\n${' '.repeat(indent)}`);
}

function appended(text: string, written: string): Edit {
  const gap = text === '' || text.endsWith('\n') ? '\n' : '\n\n';
  return { start: text.length, end: text.length, text: gap + written };
}

export function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
