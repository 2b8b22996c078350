import equal from 'fast-deep-equal';

/** An entry of a plan with why it is so and what can be done about it. */
export interface Explained {
  readonly address: string;
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
}

/** So many entries in a row that differ in their own address alone are told together, with ADDRESS in its place. */
const TOLD_TOGETHER = 4;

/** Entries with why they are so and what can be done about them, which is told once. */
export interface Group<T> {
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
  readonly entries: readonly T[];
}

/** Entries in a row that say the same are a group; the others are groups of one. */
export function withoutRepetition<T extends Explained>(entries: readonly T[]): readonly Group<T>[] {
  const told = entries.map((entry) => ({ ...entry, remedies: entry.remedies.map(anonymous(entry)) }));
  const long = new Set(
    runsOf(told)
      .filter((run) => run.length >= TOLD_TOGETHER)
      .flat(),
  );
  const shown = entries.map((entry, index) => (long.has(index) ? (told[index] ?? entry) : entry));
  return runsOf(shown).map((run) => {
    const { reason, remedies = [] } = shown[run[0] ?? 0] ?? {};
    return { reason, remedies, entries: entries.slice(run[0], (run.at(-1) ?? 0) + 1) };
  });
}

/** The indices of entries in a row that say the same. */
function runsOf(entries: readonly Explained[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (before && saysTheSame(before, entry)) runs.at(-1)?.push(index);
    else runs.push([index]);
  }
  return runs;
}

function saysTheSame(one: Explained, other: Explained): boolean {
  return equal([one.reason, one.remedies], [other.reason, other.remedies]);
}

function anonymous({ address }: Explained): (remedy: string) => string {
  return (remedy) =>
    remedy
      .split(' ')
      .map((word) => (word === address ? 'ADDRESS' : word))
      .join(' ');
}
