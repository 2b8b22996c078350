import { cellsOf } from './display-width.ts';
import { escapeTerminal } from './escape.ts';

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
