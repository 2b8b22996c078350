import { isTooDeep, MAX_DEPTH } from '../contract/json-structure.ts';

type ParsedJson =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Parses the bytes of a JSON text from another machine: UTF-8 only, at most 32 levels deep. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = decode(bytes);
  if (text === undefined) return { ok: false, problem: 'it is not UTF-8 text' };
  if (text.trim() === '') return { ok: false, problem: 'it is empty' };
  if (isTooDeep(text)) return { ok: false, problem: `it is nested more than ${MAX_DEPTH} levels deep` };
  try {
    return { ok: true, value: JSON.parse(text), text };
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
