import type { Location } from '../text/source.ts';
import { placeOf } from './diagnostic-reports.ts';
import { type ExplainedDiagnostic, explained } from './messages/explain-problem.ts';
import { escapeTerminal, inColor, linesOf, lineWidth, styled, textOf, wrap, wrapWords } from './terminal.ts';

/**
 * Diagnostics as people read them on a terminal, separated by blank lines: what, where with the place
 * underlined, the other ends, and what to do. All text is escaped, whether it comes from a file or a message.
 */
export function renderDiagnostics(
  diagnostics: readonly ExplainedDiagnostic[],
  { color }: { readonly color: boolean },
): string {
  return inColor(color, diagnostics.map((each) => textOf(diagnosticLines(each))).join('\n'));
}

function diagnosticLines(diagnostic: ExplainedDiagnostic): readonly string[] {
  const { severity, location, concealed, subject, related = [], hint } = diagnostic;
  const tint = severity === 'error' ? 'red' : 'yellow';
  const places: readonly Place[] = [
    ...(location ? [{ location, arrow: '-->', mark: '^', tint } as const] : []),
    ...related.map((other) => ({ ...other, arrow: ':::', mark: '-', tint: 'cyan' }) as const),
  ];
  const gutter = Math.max(1, ...places.map((place) => String(placeOf(place.location).line).length));
  const pad = ' '.repeat(gutter);
  return linesOf(
    messageLines(diagnostic, tint),
    !location && subject !== undefined && `${pad}--> ${escapeTerminal(subject)}`,
    places.flatMap((place) => placeLines(place, gutter, concealed)),
    hint !== undefined && wrap(hint, `${pad} = help: `, `${pad}         `),
  );
}

/** `error: what is wrong  [rule]`, in as many lines as it needs. */
function messageLines(
  { severity, message, rule }: ExplainedDiagnostic,
  tint: 'red' | 'yellow',
): readonly string[] {
  const indent = ' '.repeat(severity.length + 2);
  const texts = wrapWords(message, indent, indent).map((line) => line.slice(indent.length));
  const fits = indent.length + (texts.at(-1) ?? '').length + rule.length + 4 <= lineWidth();
  const head = `${styled([tint, 'bold'], severity)}: `;
  const lines = texts.map((text, at) => `${at === 0 ? head : indent}${styled('bold', text)}`);
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

function placeLines(
  { location, message, arrow, mark, tint }: Place,
  gutter: number,
  concealed?: ExplainedDiagnostic['concealed'],
): readonly string[] {
  const { source, start, end } = location;
  const { file, line, column } = placeOf(location);
  const pad = ' '.repeat(gutter);
  const position = `${pad}${styled('dim', arrow)} ${escapeTerminal(file)}:${line}:${column}`;
  if (concealed) return [position];
  const shown = excerpt(source.line(line), column - 1, column - 1 + end - start, lineWidth() - gutter - 3);
  const label = message === undefined ? '' : ` ${escapeTerminal(message)}`;
  const bar = styled('dim', '|');
  return [
    position,
    `${pad} ${bar}`,
    `${styled('dim', String(line).padStart(gutter))} ${bar} ${shown.text}`.trimEnd(),
    `${pad} ${bar} ${' '.repeat(shown.start)}${styled(tint, mark.repeat(shown.length) + label)}`,
  ];
}

/** Said at the end where standard output took not all of it (a full disk, say). */
export function renderLostOutput({ message }: Error): string {
  const hint = 'everything done is recorded; only this output is incomplete';
  const problem = explained('lost-output', `standard output could not be written completely: ${message}`, {
    hint,
  });
  return renderDiagnostics([problem], { color: false });
}

/** A bug of ours, said calmly; the stack only for those who ask. */
export function renderCrash(error: unknown, debug: boolean): string {
  const message = withoutPattern(error instanceof Error ? error.message : String(error));
  const stack = debug && error instanceof Error && error.stack;
  const hint = 'requests and responses so far are recorded; run it again with --debug and report it';
  return textOf(
    wrapWords(`error: internal error: ${message}`, '', ' '.repeat(7)),
    stack ? withoutPattern(stack).split('\n').map(escapeTerminal) : undefined,
    wrap(hint, '  = help: ', ' '.repeat(10)),
  );
}

/** A pattern may be made of anything, so that it is not repeated. */
function withoutPattern(text: string): string {
  return text.replace(/(Invalid regular expression).*?(?=\n {4}at |$)/s, '$1');
}

const TAB = '    ';
const CUT = '…';
/** A code point with the selector behind it that makes an emoji of it, and the frame of a keycap. */
const CHARACTER = /.\uFE0F?\u20E3?/gsu;

/**
 * A line made safe to show, and the cells to underline in it (counted from 0) for the place `from` to `to` (UTF-16
 * offsets into the line). Tabs become spaces, control characters escapes, and what does not fit into `width` cells is
 * cut around the place. Of a very long line only what could be shown is looked at.
 */
export function excerpt(line: string, from: number, to: number, width: number) {
  const first = Math.max(0, from - width);
  const last = Math.min(line.length, from + 2 * width);
  const [before, after] = [shownOf(line.slice(first, from)), shownOf(line.slice(from, last))];
  const isWhole = last - first === line.length && widthOf([...before, ...after]) <= width;
  const left = isWhole ? before : fitting(before.toReversed(), width / 3).toReversed();
  const right = isWhole ? after : fitting(after, width - widthOf(left) - 2);
  const start = first > 0 || left.length < before.length ? CUT : '';
  const end = last < line.length || right.length < after.length ? CUT : '';
  const marked = widthOf(shownOf(line.slice(from, Math.min(to, last))));
  return {
    text: `${start}${[...left, ...right].join('')}${end}`.trimEnd(),
    start: start.length + widthOf(left),
    length: Math.max(1, Math.min(marked, widthOf(right))),
  };
}

function shownOf(text: string): readonly string[] {
  return charactersOf(text).map((character) => (character === '\t' ? TAB : escapeTerminal(character)));
}

function charactersOf(text: string): readonly string[] {
  return text.match(CHARACTER) ?? [];
}

/** The first of these, as many as have room. */
function fitting(shown: readonly string[], room: number): readonly string[] {
  const end = shown.findIndex((_, at) => widthOf(shown.slice(0, at + 1)) > room);
  return end === -1 ? shown : shown.slice(0, end);
}

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}|[\u{20000}-\u{3FFFD}]/u;

/** Terminal cells that a text takes: a character has 0, 1 or 2 by its first code point, as most terminals do it. */
function widthOf(shown: readonly string[]): number {
  const widths = charactersOf(shown.join('')).map((character) => {
    if (character < '\u0300') return 1;
    if (/^\p{M}/u.test(character)) return 0;
    return WIDE.test(character) ? 2 : 1;
  });
  return widths.reduce<number>((sum, width) => sum + width, 0);
}
