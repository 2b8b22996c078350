/** One change that may be what was meant. Lines count from 0 and are never more or fewer than before. */
export interface Mend {
  readonly lines: ReadonlyMap<number, string>;
  /** What was wrong, with its place in the line before. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** Another indentation of another line often would do as well. */
  readonly isIndent?: boolean;
}
