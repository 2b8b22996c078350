/** A place between two characters: line and column count from 1, columns in UTF-16 code units as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One text file held in memory. Positions are computed on demand: most files are never complained about. */
export class SourceText {
  /** The path as people see it: relative to the working directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** Turns an offset into `text` (0 to its length) into a line and a column. */
  positionAt(offset: number): Position {
    const starts = this.#starts();
    const line = lineAt(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  }

  /** Where a line (counted from 1) begins; the end of the text where there is no such line. */
  offsetOf(number: number): number {
    return this.#starts()[number - 1] ?? this.text.length;
  }

  /** The text of a line (counted from 1) without its line break; empty where there is no such line. */
  line(number: number): string {
    const starts = this.#starts();
    const start = starts[number - 1];
    if (start === undefined) return '';
    const next = starts[number] ?? this.text.length + 1;
    return this.text.slice(start, next - 1).replace(/\r$/, '');
  }

  #starts(): readonly number[] {
    this.#lineStarts ??= lineStarts(this.text);
    return this.#lineStarts;
  }
}

/** A stretch of a source file, from `start` up to but not including `end` (offsets into its text). */
export interface Location {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

/** Where `fragment` stands inside a place; the whole place where it is not written there as it is. */
export function partOf(place: Location, fragment: string): Location {
  const at = place.source.text.slice(place.start, place.end).indexOf(fragment);
  if (at === -1) return place;
  const start = place.start + at;
  return { source: place.source, start, end: start + fragment.length };
}

/** The offset at which each line of a text begins; lines end with a line feed. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line that an offset is in, counted from 0. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
