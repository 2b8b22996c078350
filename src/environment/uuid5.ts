import { createHash } from 'node:crypto';

/** The namespace for URLs of RFC 9562, section 6.6. */
export const URL_NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** The version 5 UUID (RFC 9562, section 5.5) of a name in a namespace (a UUID): the same pair gives the same UUID. */
export function uuid5(namespace: string, name: string): string {
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new Error(`Not a UUID: ${namespace}`);
  const hash = createHash('sha1').update(bytes).update(name, 'utf8').digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
