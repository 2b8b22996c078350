/**
 * The candidate that a person most likely meant by `name`: the one with the fewest edits, and only where they
 * are few for its length. Undefined where nothing is near. Names longer than 191 characters are not compared.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 191) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const edits = distance(wanted, candidate.toLowerCase(), fewest);
    if (edits >= fewest) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up with `limit` once that is reached. */
function distance(from: string, to: string, limit: number): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let edits = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost);
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (i > 1 && j > 1 && swapped) edits = Math.min(edits, at(older, j - 2) + 1);
      current.push(edits);
      if (edits < least) least = edits;
    }
    if (least >= limit) return limit;
    older = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
