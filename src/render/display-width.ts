const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}|[\u{20000}-\u{3FFFD}]/u;

/** Terminal cells that one character takes, as its first code point has it: 0, 1 or 2, as most terminals do it. */
export function cellsOf(character: string): number {
  if (character < '\u0300') return 1;
  if (/^\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
