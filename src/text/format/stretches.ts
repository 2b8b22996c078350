import { isCollection, isMap, isScalar, type Pair, type YAMLMap } from 'yaml';

/** An entry of a mapping with all that goes where it goes: `start` up to but not including `end`. */
export interface Stretch {
  readonly key: string;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

const DIRECTIVE = /^[ \t]*(?:# yaml-language-server:|%|---)/;

/**
 * The entries of a mapping in the order of the text, without overlap. In a block they are whole lines: the comments
 * above an entry are its own, and so are those below that are further in. What no entry owns stays where it is: the
 * head of a file, the last comments of a block. Undefined where entries can't be told apart safely.
 */
export function stretchesOf(map: YAMLMap, text: string, to: number): readonly Stretch[] | undefined {
  const cores = map.items.map((pair) => coreOf(pair, text));
  if (!cores.every((core) => core !== undefined)) return undefined;
  return map.flow ? inline(map, text, cores) : lines(text, cores, to);
}

/**
 * The entries of a mapping whose first one stands behind the dash of a list, from key to line break. Undefined where
 * something stands between them, or below and belongs to the last.
 */
export function elementStretches(map: YAMLMap, text: string): readonly Stretch[] | undefined {
  const cores = map.items.map((pair) => coreOf(pair, text));
  const [first] = cores;
  if (!first || !cores.every((core) => core !== undefined)) return undefined;
  const indent = first.start - lineStart(text, first.start);
  if (!/^[ -]*- +$/.test(text.slice(first.start - indent, first.start))) return undefined;
  const pad = ' '.repeat(indent);
  const ends = cores.map(({ end }) => lineEnd(text, end));
  const isTight = cores.every(({ start }, at) => {
    const above = ends[at - 1];
    return above === undefined || text.slice(above, start) === pad;
  });
  const last = ends.at(-1) ?? text.length;
  const isFollowed = endOfDeeper(text, last, text.length, indent) > last;
  return isTight && !isFollowed
    ? cores.map((core, at) => ({ ...core, end: ends[at] ?? core.end }))
    : undefined;
}

function inline(map: YAMLMap, text: string, cores: readonly Stretch[]): readonly Stretch[] | undefined {
  const written = text.slice(map.range?.[0], map.range?.[1]);
  const mayHaveComments = written.includes('\n') && written.includes('#');
  const hasGaps = cores.some(({ value }) => isScalar(value) && value.range?.[0] === value.range?.[1]);
  return mayHaveComments || hasGaps ? undefined : cores;
}

function lines(text: string, cores: readonly Stretch[], to: number): readonly Stretch[] | undefined {
  const first = cores[0];
  if (!first || text.slice(lineStart(text, first.start), first.start).trim() !== '') return undefined;
  const indent = first.start - lineStart(text, first.start);
  const ends = cores.map(({ end }, at) => {
    const next = cores[at + 1];
    return endOfDeeper(text, lineEnd(text, end), next ? lineStart(text, next.start) : to, indent);
  });
  return cores.map((core, at) => ({
    ...core,
    start: at === 0 ? leadOf(text, lineStart(text, core.start)) : (ends[at - 1] ?? core.start),
    end: ends[at] ?? core.end,
  }));
}

/** Where an entry itself is written. */
function coreOf({ key, value }: Pair, text: string): Stretch | undefined {
  if (!isScalar(key) || !key.range || key.anchor !== undefined || key.tag !== undefined) return undefined;
  if (typeof key.value !== 'string') return undefined;
  const end = Math.max(key.range[1], endOf(value) ?? 0);
  const explicit = text.slice(lineStart(text, key.range[0]), key.range[0]).trim().startsWith('?');
  return explicit ? undefined : { key: key.value, value, start: key.range[0], end };
}

/** Behind the last character of a value, a line break at its end left out. */
function endOf(value: unknown): number | undefined {
  if (isCollection(value) && !value.flow) {
    const last: unknown = value.items.at(-1);
    if (!isMap(value)) return endOf(last);
    const pair = value.items.at(-1);
    const key = isScalar(pair?.key) ? pair.key.range?.[1] : undefined;
    return endOf(pair?.value) ?? key;
  }
  const range = (value as { range?: readonly number[] | null } | null)?.range;
  return range?.[1];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the line break of the line that has the character before `offset`. */
function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset;
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

/** Behind the last of the comments from `from` that are further in than `indent`; `from` where there is none. */
function endOfDeeper(text: string, from: number, to: number, indent: number): number {
  let end = from;
  for (let at = from; at < to; at = lineEnd(text, at + 1)) {
    const line = text.slice(at, lineEnd(text, at + 1));
    const column = line.search(/\S/);
    if (column === -1) continue;
    if (line[column] !== '#' || column <= indent) break;
    end = lineEnd(text, at + 1);
  }
  return end;
}

/** Where the comments right above the line at `start` begin; what the file itself begins with is not among them. */
function leadOf(text: string, start: number): number {
  let lead = start;
  while (lead > 0) {
    const above = lineStart(text, lead - 1);
    const line = text.slice(above, lead);
    if (!line.trim().startsWith('#') || DIRECTIVE.test(line)) break;
    lead = above;
  }
  return lead;
}
