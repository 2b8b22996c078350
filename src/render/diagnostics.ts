import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { Location } from '../text/source.ts';
import { placeOf } from './diagnostic-reports.ts';
import { escapeTerminal, type Style, styleFor, WIDTH, wrap, wrapWords } from './terminal.ts';

export interface DiagnosticStyle {
  readonly color: boolean;
  /** Cells that a source line with its number may take; 80 without it. */
  readonly width?: number;
}

/**
 * Diagnostics as people read them on a terminal, separated by blank lines: what, where with the place
 * underlined, the other ends, and what to do. All text is escaped, whether it comes from a file or a message.
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  { color, width = 80 }: DiagnosticStyle,
): string {
  const paint = styleFor(color);
  return diagnostics
    .map((diagnostic) => `${diagnosticLines(diagnostic, paint, width).join('\n')}\n`)
    .join('\n');
}

function diagnosticLines(diagnostic: Diagnostic, paint: Style, width: number): readonly string[] {
  const { severity, location, concealed, subject, related = [], hint } = diagnostic;
  const tint = severity === 'error' ? 'red' : 'yellow';
  const places: readonly Place[] = [
    ...(location ? [{ location, arrow: '-->', mark: '^', tint } as const] : []),
    ...related.map((other) => ({ ...other, arrow: ':::', mark: '-', tint: 'cyan' }) as const),
  ];
  const gutter = Math.max(1, ...places.map((place) => String(placeOf(place.location).line).length));
  const pad = ' '.repeat(gutter);
  return [
    ...messageLines(diagnostic, tint, paint),
    ...(!location && subject !== undefined ? [`${pad}--> ${escapeTerminal(subject)}`] : []),
    ...places.flatMap((place) => [
      positionLine(place, paint, pad),
      ...(concealed ? [] : excerptLines(place, paint, gutter, width)),
    ]),
    ...(hint === undefined ? [] : wrap(hint, `${pad} = help: `, `${pad}         `)),
  ];
}

/** `error: what is wrong  [rule]`, in as many lines as it needs. */
function messageLines(
  { severity, message, rule }: Diagnostic,
  tint: 'red' | 'yellow',
  paint: Style,
): readonly string[] {
  const indent = ' '.repeat(severity.length + 2);
  const texts = wrapWords(message, indent, indent).map((line) => line.slice(indent.length));
  const fits = indent.length + (texts.at(-1) ?? '').length + rule.length + 4 <= WIDTH;
  const head = `${paint([tint, 'bold'], severity)}: `;
  const lines = texts.map((text, at) => `${at === 0 ? head : indent}${paint('bold', text)}`);
  if (!fits) return [...lines, `${indent}[${rule}]`];
  return [...lines.slice(0, -1), `${lines.at(-1)}  [${rule}]`];
}

/** Where a diagnostic points, or one of its other ends. */
interface Place {
  readonly location: Location;
  readonly message?: string;
  readonly arrow: string;
  readonly mark: string;
  readonly tint: 'red' | 'yellow' | 'cyan';
}

function positionLine({ location, arrow }: Place, paint: Style, pad: string): string {
  const { file, line, column } = placeOf(location);
  return `${pad}${paint('dim', arrow)} ${escapeTerminal(file)}:${line}:${column}`;
}

function excerptLines(
  { location: { source, start, end }, message, mark, tint }: Place,
  paint: Style,
  gutter: number,
  width: number,
): readonly string[] {
  const { line, column } = source.positionAt(start);
  const from = column - 1;
  const text = source.line(line);
  const shown = excerpt(text, from, Math.min(from + end - start, text.length), width - gutter - 3);
  const label = message === undefined ? '' : ` ${escapeTerminal(message)}`;
  const [bar, pad] = [paint('dim', '|'), ' '.repeat(gutter)];
  return [
    `${pad} ${bar}`,
    `${paint('dim', String(line).padStart(gutter))} ${bar} ${shown.text}`.trimEnd(),
    `${pad} ${bar} ${' '.repeat(shown.start)}${paint(tint, mark.repeat(shown.length) + label)}`,
  ];
}

/** Said at the end where standard output took not all of it (a full disk, say). */
export function renderLostOutput({ message }: Error): string {
  const hint = 'what was done is done and recorded; only what is told of it is incomplete';
  const problem = error('lost-output', `standard output could not be written whole: ${message}`, { hint });
  return renderDiagnostics([problem], { color: false });
}

/** A bug of ours, said calmly; the stack only for those who ask. */
export function renderCrash(error: unknown, debug: boolean): string {
  const message = withoutPattern(error instanceof Error ? error.message : String(error));
  const stack =
    debug && error instanceof Error && error.stack
      ? `\n${withoutPattern(error.stack).split('\n').map(escapeTerminal).join('\n')}`
      : '';
  const said = wrapWords(`error: this should not happen: ${message}`, '', ' '.repeat(7));
  const hint = 'what was sent and answered is recorded; run it again with --debug and report it';
  return `${said.join('\n')}${stack}\n${wrap(hint, '  = help: ', ' '.repeat(10)).join('\n')}\n`;
}

/** A pattern may be made of anything, so that it is not repeated. */
function withoutPattern(text: string): string {
  return text.replace(/(Invalid regular expression).*?(?=\n {4}at |$)/s, '$1');
}

const TAB = 4;
const CUT = '…';
/** A code point with the selector behind it that makes an emoji of it, and the frame of a keycap. */
const CHARACTER = /.\uFE0F?\u20E3?/gsu;

/** One source line as it is shown, and the cells to underline in it (counted from 0). */
export interface Excerpt {
  readonly text: string;
  readonly start: number;
  readonly length: number;
}

interface Cell {
  readonly shown: string;
  readonly width: number;
  readonly marked: boolean;
}

/**
 * A line made safe to show, and where in it the place `from` to `to` (UTF-16 offsets into the line) stands. Tabs
 * become spaces, control characters escapes, and what does not fit into `width` cells is cut around the place.
 */
export function excerpt(line: string, from: number, to: number, width: number): Excerpt {
  const cells = window(cellsAround(line, from, Math.max(to, from + 1), width), width);
  const first = cells.findIndex(({ marked }) => marked);
  const start = totalWidth(first === -1 ? cells : cells.slice(0, first));
  const length = Math.max(1, totalWidth(cells.filter(({ marked }) => marked)));
  return {
    text: cells
      .map(({ shown }) => shown)
      .join('')
      .trimEnd(),
    start,
    length,
  };
}

/** The line's characters, but of a very long line only those that could be shown. */
function cellsAround(line: string, from: number, to: number, width: number): Cell[] {
  const start = Math.max(0, from - width - 1);
  const end = Math.min(line.length, from + 2 * width);
  const cells: Cell[] = start > 0 ? [{ shown: CUT, width: 1, marked: false }] : [];
  let offset = start;
  let column = 0;
  for (const [character] of line.slice(start, end).matchAll(CHARACTER)) {
    const shown = character === '\t' ? ' '.repeat(TAB - (column % TAB)) : escapeTerminal(character);
    const cellWidth = shown === character ? cellsOf(character) : shown.length;
    cells.push({ shown, width: cellWidth, marked: offset >= from && offset < to });
    offset += character.length;
    column += cellWidth;
  }
  if (end < line.length) cells.push({ shown: CUT, width: 1, marked: false });
  return cells;
}

/** The cells that fit, with the marked ones in view and a sign where something was cut. */
function window(cells: readonly Cell[], width: number): readonly Cell[] {
  if (totalWidth(cells) <= width) return cells;
  const firstMarked = cells.findIndex(({ marked }) => marked);
  const place = firstMarked === -1 ? cells.length - 1 : firstMarked;
  let start = place;
  let before = Math.floor(width / 3);
  while (start > 0 && before >= widthAt(cells, start - 1)) before -= widthAt(cells, --start);
  let end = start;
  let room = width - 2;
  while (end < cells.length && room >= widthAt(cells, end)) room -= widthAt(cells, end++);
  while (start > 0 && room >= widthAt(cells, start - 1)) room -= widthAt(cells, --start);
  const cut: Cell = { shown: CUT, width: 1, marked: false };
  return [...(start > 0 ? [cut] : []), ...cells.slice(start, end), ...(end < cells.length ? [cut] : [])];
}

function widthAt(cells: readonly Cell[], index: number): number {
  return cells[index]?.width ?? 0;
}

function totalWidth(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}|[\u{20000}-\u{3FFFD}]/u;

/** Terminal cells that one character takes, as its first code point has it: 0, 1 or 2, as most terminals do it. */
function cellsOf(character: string): number {
  if (character < '\u0300') return 1;
  if (/^\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
