/** A part of a document that may lose its end: units are taken whole or left out. */
export interface Part {
  readonly head: string;
  readonly units: readonly Unit[];
  readonly tail: string;
  /** What is said in the place of `count` things that are left out. */
  readonly more: (count: number) => string;
}

/** One thing, or a few that are told together. */
export interface Unit {
  readonly text: string;
  /** What is left of it where all of it has no room, but this has. */
  readonly short?: string;
}

/**
 * The parts one after another in at most `budget` bytes of UTF-8. Every part keeps its head, its tail and the word on
 * what it leaves out; what room is left goes to the units of the first part, then to those of the second, and so on.
 */
export function fitParts(parts: readonly Part[], budget: number): string {
  const frame = (part: Part) => bytes(part.head + part.tail + part.more(part.units.length));
  let room = budget - parts.reduce((sum, part) => sum + frame(part), 0);
  return parts
    .map(({ head, units, tail, more }) => {
      const taken: string[] = [];
      for (const { text, short } of units) {
        const fitting = [text, short].find((each) => each !== undefined && bytes(each) <= room);
        if (fitting === undefined) break;
        room -= bytes(fitting);
        taken.push(fitting);
      }
      if (taken.length === units.length) return head + taken.join('') + tail;
      return head + taken.join('') + more(units.length - taken.length) + tail;
    })
    .join('');
}

export function bytes(text: string): number {
  return Buffer.byteLength(text);
}
