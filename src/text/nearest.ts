import { distance } from 'fastest-levenshtein';

/**
 * The candidate that was most likely meant by `name`: the one with the fewest edits, and only if these are at most `most`, which
 * is few for its length. Undefined if nothing is near. Names longer than 191 characters are not compared.
 */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  most = mostEdits(name),
): string | undefined {
  if (name.length > 191) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let fewest = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits >= fewest) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

/** A third of the letters, and two swapped ones (two edits) from four letters on. */
function mostEdits({ length }: string): number {
  return Math.max(1, Math.min(2, Math.floor(length / 2)), Math.floor(length / 3));
}
