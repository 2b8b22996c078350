/**
 * What merging means wherever the service merges: `current` in its order, each member exchanged for the wanted
 * one of the same key, then what is wanted besides.
 */
export function united<T>(current: readonly T[], wanted: readonly T[], keyOf: (member: T) => string): T[] {
  // A Map keeps the place of a key that is set again.
  return [...new Map([...current, ...wanted].map((member) => [keyOf(member), member])).values()];
}
