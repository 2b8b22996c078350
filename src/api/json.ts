/** Deeper JSON than any documented body, and far below what could exhaust a stack when it is written again. */
const MAX_DEPTH = 32;

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the bytes of a JSON text from another machine: UTF-8 only, at most 32 levels deep, members named
 * `__proto__` left out so that no later copy of the value can change a prototype.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = decode(bytes);
  if (text === undefined) return { ok: false, problem: 'it is not UTF-8 text' };
  if (text.trim() === '') return { ok: false, problem: 'it is empty' };
  if (isDeeperThan(text, MAX_DEPTH))
    return { ok: false, problem: `it is nested more than ${MAX_DEPTH} levels deep` };
  try {
    return { ok: true, value: JSON.parse(text, withoutPrototype) };
  } catch {
    return { ok: false, problem: 'it is not JSON' };
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

// Counts brackets outside of strings; exact for JSON, and where it is not JSON the parser says so. A loop, not
// a regular expression: those keep a stack of their own, which a string of some megabytes exhausts.
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
