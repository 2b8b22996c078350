import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** About 20 ms and 16 MiB a password: paid once a user and process, see `authenticator.ts`. */
const cost: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const hashBytes = 32;

/** Gives `scrypt:SALT:HASH` (base64url), with a new salt each time. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return ['scrypt', salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/**
 * Whether the password is the one that was hashed, in constant time. Without a hash (an unknown user) the
 * answer is false at the same price, so that time does not tell which usernames exist.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const [, salt = '', expected = ''] = (passwordHash ?? '').split(':');
  const hash = await derive(password, Buffer.from(salt, 'base64url'));
  const expectedHash =
    passwordHash === undefined ? randomBytes(hashBytes) : Buffer.from(expected, 'base64url');
  return timingSafeEqual(hash, expectedHash) && passwordHash !== undefined;
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, cost, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
