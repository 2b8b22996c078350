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
  /** Said behind this unit where it is the last one that fits. */
  readonly closing?: string;
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
      for (const { text, closing = '' } of units) {
        if (bytes(text + closing) > room) break;
        room -= bytes(text);
        taken.push(text);
      }
      if (taken.length === units.length) return head + taken.join('') + tail;
      const closing = units[taken.length - 1]?.closing ?? '';
      room -= bytes(closing);
      return head + taken.join('') + closing + more(units.length - taken.length) + tail;
    })
    .join('');
}

export function bytes(text: string): number {
  return Buffer.byteLength(text);
}
