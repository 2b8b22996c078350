import type { Writable } from 'node:stream';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { ApplyEvent } from '../apply/model.ts';
import type { Address } from '../catalog/model.ts';
import { visibly } from '../markup/markup.ts';
import type { Entries } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import { fewOf, pluralize, senderOf } from './words.ts';

/** A process has one terminal, so this holds for all that it prints. */
let columns = 80;

/** How many characters a line may have. */
export function lineWidth(): number {
  return columns;
}

/** What goes into a file is the same on every terminal. */
export function atDefaultWidth(render: () => string): string {
  const shown = columns;
  columns = 80;
  try {
    return render();
  } finally {
    columns = shown;
  }
}

/** Lines fit this terminal, within reason; 80 columns where there is none, as in a pipe or in CI. */
export function fitTerminal(stream: { readonly columns?: number }): void {
  columns = Math.min(Math.max(stream.columns || 80, 60), 120);
}

/** `trove`, or `mv`, with the words behind it that are part of the command: quoted ones may hold anything. */
export const COMMAND = /\b(?:trove|mv -n)(?: (?!(?:and|or|to|since)\b)(?:\\'|'[^']*'|[^\s,;'`])+)+/g;
/** What is to be written into a file, short enough for a line of its own. */
const SNIPPET = /`[^`]{1,64}`/g;
/** Stands for the blanks of a command meanwhile, so that no line ends at them. Escaped text has no such character. */
const GLUE = '\0';

/**
 * Escapes a text and breaks it at spaces so that lines fit. A word that is too long stays whole, and so do a command
 * ("trove ...") and a `snippet` of YAML, which begin a line of their own if they do not fit: people copy them.
 */
export function wrap(text: string, first = '', rest = '  '): readonly string[] {
  const glue = (part: string) => part.replaceAll(' ', GLUE);
  const glued = escapeTerminal(text).replace(COMMAND, glue).replace(SNIPPET, glue);
  return lines(glued, first, rest).map((line) => line.replaceAll(GLUE, ' '));
}

/** The same for a text that is not ours, in which nothing is a command. */
export function wrapWords(text: string, first = '', rest = '  '): readonly string[] {
  return lines(escapeTerminal(text), first, rest);
}

/** The lines that there are: lists are put together, and what is false or undefined is left out. */
export function linesOf(...parts: readonly Lines[]): readonly string[] {
  return parts.flatMap((part) => (part === false || part === undefined ? [] : part));
}

type Lines = string | readonly string[] | false | undefined;

/** The same as a text, every line with its end. */
export function textOf(...parts: readonly Lines[]): string {
  return linesOf(...parts)
    .map((line) => `${line}\n`)
    .join('');
}

/** Sentences, each on lines of its own. */
export function paragraphs(...texts: readonly Lines[]): string {
  return textOf(...linesOf(...texts).map((text) => wrap(text)));
}

function lines(text: string, first: string, rest: string): readonly string[] {
  const full: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > columns) {
      full.push(line);
      line = rest + harmless(word);
    } else {
      line += empty ? harmless(word) : ` ${word}`;
    }
    empty = false;
  }
  return [...full, line];
}

/** For what a line begins with: CI systems take `::` and `##[` there for commands, also behind blanks. */
export function harmless(word: string): string {
  return /^(?:::|##\[)/.test(word) ? `\\${word}` : word;
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

/** Text from a file, a service or the environment, made safe for one line of a terminal: what hides becomes visible. */
export function escapeTerminal(text: string): string {
  return visibly(text, (character) => NAMED[character] ?? codeUnits(character)).join('');
}

/** As JSON has it, which is escaped here too: of a character beyond U+FFFF both halves. */
function codeUnits(character: string): string {
  return character.replace(/./gs, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What is longer than `longest` characters is cut, and says how long it is. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}… (${text.length} characters)`;
}

export type Format = Parameters<typeof styleText>[0];

/** Puts a format around a text, which is not escaped here. */
export function styled(format: Format, text: string): string {
  return styleText(format, text, { validateStream: false });
}

/** A whole text without its formats where no color is wanted. Values are escaped, so they have none of their own. */
export function inColor(color: boolean, text: string): string {
  return color ? text : stripVTControlCharacters(text);
}

/** Color is wanted on a terminal, unless NO_COLOR says no; FORCE_COLOR says yes everywhere but for `0`. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv,
  noColor: boolean,
): boolean {
  if (noColor) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return !env.NO_COLOR && stream.isTTY === true && env.TERM !== 'dumb';
}

/** The width of a column of these texts, at most `most`. */
export function columnWidth(texts: readonly string[], most = Number.POSITIVE_INFINITY): number {
  const widest = texts.reduce((width, text) => Math.max(width, [...text].length), 0);
  return Math.min(widest, most);
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** Rows of cells, escaped, as lines with aligned columns, two blanks between them. The first row has every column. */
export function alignColumns(table: readonly (readonly string[])[]): string {
  const rows = table.map((row) => row.map(escapeTerminal));
  const widths = rows[0]?.map((_, column) => columnWidth(rows.map((row) => row[column] ?? ''))) ?? [];
  const padded = (cell: string, column: number, row: readonly string[]) =>
    column === row.length - 1 ? cell : pad(cell, widths[column] ?? 0);
  return textOf(rows.map((row) => harmless(row.map(padded).join('  ').trimEnd())));
}

/** The first of these texts whose lines fit the terminal, or else the last. */
export function fitting(texts: readonly string[]): string {
  const fits = (text: string) => columnWidth(text.split('\n')) <= columns;
  return texts.find(fits) ?? texts.at(-1) ?? '';
}

/** A text for each label, in a column beside the labels. A label of more than `most` characters reaches into it. */
export function labeled(
  rows: readonly (readonly [label: string, text: string])[],
  indent = '',
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  const labels = rows.map(([label]) => harmless(escapeTerminal(label)));
  const width = columnWidth(labels, most);
  const column = ' '.repeat(indent.length + width + 2);
  return rows
    .flatMap(([, text], at) => wrapWords(text, `${indent}${pad(labels[at] ?? '', width)}  `, column))
    .map((line) => line.trimEnd());
}

/**
 * JSON with a final newline, for a program and a terminal alike: what could act on a terminal stands as `\uXXXX`, which
 * is the same value to a parser.
 */
export function renderJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  // JSON has no raw tab, carriage return or escape, so each of these becomes its code point.
  return `${lines.map(escapeTerminal).join('\n')}\n`;
}

/** The same as one line, for a stream of them. */
export function renderJsonLine(value: unknown): string {
  return `${escapeTerminal(JSON.stringify(value))}\n`;
}

const BAR = 30;

/**
 * Shows the progress of an apply: on a terminal one bar that stays in place, elsewhere a plain line at every tenth, so
 * that a log stays short. Returns a function that takes the events of the apply.
 */
export function progressOn(stream: Writable, terminal: boolean): (event: ApplyEvent) => void {
  let lastShown = -1;
  return (event) => {
    if (event.type === 'started' || event.total === 0) return;
    const { done, total } = event;
    const step = Math.floor((done / total) * (terminal ? 100 : 10));
    if (step === lastShown) return;
    lastShown = step;
    if (terminal) stream.write(`\r${bar(done, total)}${done === total ? '\r\x1b[K' : ''}`);
    else if (total >= 10) stream.write(`${done} of ${total} sent\n`);
  };
}

function bar(done: number, total: number): string {
  const full = Math.round((done / total) * BAR);
  return `[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${done} of ${total}`;
}

/** After a first Ctrl-C. */
export const interruptedText =
  '\nStopping after requests in flight.\nPress Ctrl-C again to stop immediately.\n';

/**
 * After a second one: which outcomes the journal leaves open, and how to go on. `asked`: those of a recovery's updates.
 * `unwritten` it could not take. `flags` make printed commands mean this environment.
 */
export function stoppedText(
  entries: Entries,
  asked: readonly Address[],
  unwritten: readonly StateEvent[],
  flags: string,
): string {
  const pending = entries.all('pending');
  const retired = entries.all('retired').filter(({ address }) => !entries.find('live', address));
  const written = [...entries.all('live'), ...entries.all('imported'), ...retired];
  const updates = written.filter(({ unconfirmed }) => unconfirmed);
  const lost = unwritten.filter(
    (event) =>
      event.type === 'answered' || event.type === 'create-rejected' || event.type === 'update-rejected',
  );
  const addresses = [
    ...new Set([...pending, ...updates, ...lost].map(({ address }) => address).concat(asked)),
  ];
  if (addresses.length === 0) return '\nStopped. Every outcome is known and recorded.\n';
  const listed = fewOf(addresses, 5).join(', ');
  const text = paragraphs(
    `Stopped. ${pluralize(addresses.length, 'outcome')} ${addresses.length === 1 ? 'is' : 'are'} unknown: ${listed}. The journal has each request.`,
    lost.flatMap((event) =>
      event.type === 'answered'
        ? `${event.address} has the ID ${event.record.id}, which could not be recorded.`
        : [],
    ),
    [...new Set(addresses.map(senderOf))].map(
      (sender) => `To settle as many as possible, run it again: ${sender}${flags}`,
    ),
    pending.length + lost.length > 0 && `Then list what is still pending: trove resolve${flags}`,
  );
  return `\n${text}`;
}
