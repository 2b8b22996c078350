import { distance } from 'fastest-levenshtein';

/** Pairs of characters: 25 000 candidates of 20 characters for a name of 20. */
const MOST_WORK = 10_000_000;

/**
 * The candidate that was most likely meant by `name`: the one with the fewest edits, and only if these are few for its
 * length. Undefined if nothing is near. Names longer than 191 characters are not compared, nor are more candidates than
 * take a hundredth of a second.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 191) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  let work = 0;
  for (const candidate of candidates) {
    if (work > MOST_WORK) break;
    work += name.length * candidate.length;
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits >= fewest) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

/** Two letters that are swapped are one slip. */
function editsBetween(one: string, other: string): number {
  const edits = distance(one, other);
  return edits === 2 && lettersOf(one) === lettersOf(other) ? 1 : edits;
}

function lettersOf(text: string): string {
  return [...text].sort().join('');
}
