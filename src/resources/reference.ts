/** A value that only apply can know: the id of a resource or option that the same plan creates. */
export interface KnownAfterApply {
  readonly $knownAfterApply: string;
}

/** A remote id, or a promise of one. */
export type Reference = string | KnownAfterApply;

const KEY_PREFIX = '$knownAfterApply:';

export function knownAfterApply(address: string): KnownAfterApply {
  return { $knownAfterApply: address };
}

/** The form of a reference where JSON allows only text: as the key of an object. */
export function referenceAsKey(reference: Reference): string {
  return typeof reference === 'string' ? reference : KEY_PREFIX + reference.$knownAfterApply;
}

function isKnownAfterApply(value: object): value is KnownAfterApply {
  return '$knownAfterApply' in value && typeof value.$knownAfterApply === 'string';
}

/** A copy of a planned body with each promised id replaced by what `idOf` gives for its address. */
export function resolveReferences(value: unknown, idOf: (address: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((element) => resolveReferences(element, idOf));
  if (isKnownAfterApply(value)) return idOf(value.$knownAfterApply);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [resolveKey(key, idOf), resolveReferences(child, idOf)]),
  );
}

function resolveKey(key: string, idOf: (address: string) => string): string {
  return key.startsWith(KEY_PREFIX) ? idOf(key.slice(KEY_PREFIX.length)) : key;
}
