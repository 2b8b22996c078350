/**
 * Whether an address fits a pattern, in which `*` stands for any characters. Each piece is looked for once from
 * left to right, so no pattern takes long.
 */
export function matches(pattern: string, address: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return address === pattern;
  if (!address.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = address.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return address.length - last.length >= at && address.endsWith(last);
}
