import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { unauthorized } from './refusal.ts';

/**
 * Gives a function from the value of an Authorization header (section 5) to who sent it; it refuses with 401. What
 * was verified is remembered by a keyed digest, so that a password is stretched once and not per request, and
 * no password stays in memory.
 */
export function createAuthenticator(findUser: (username: string) => User | undefined): Authenticator {
  const key = randomBytes(32);
  const known = new Map<string, Promise<Caller>>();

  const verify = async ([username, password]: Credentials): Promise<Caller> => {
    const user = findUser(username);
    const isRight = await verifyPassword(password, user?.passwordHash);
    if (!isRight || user === undefined) throw unauthorized(wrongCredentials);
    return { userId: user.id, teamId: user.teamId };
  };
  return async (header) => {
    if (header === undefined) throw unauthorized(missingHeader);
    const credentials = readBasic(header);
    if (credentials === undefined) throw unauthorized(wrongCredentials);
    const digest = createHmac('sha256', key).update(JSON.stringify(credentials)).digest('base64');
    const before = known.get(digest);
    if (before !== undefined) return before;
    const verifying = verify(credentials);
    known.set(digest, verifying);
    // Only what is right stays: wrong guesses must not fill the memory.
    verifying.catch(() => known.delete(digest));
    return verifying;
  };
}

const wrongCredentials = 'The username or the password is wrong.';
const missingHeader = 'The request needs a header Authorization: Basic <base64 of username:password>.';

/** `Basic`, one space, base64 of `username:password`; the first colon ends the username. */
function readBasic(header: string): Credentials | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  // The database ends a text at U+0000: what follows it in a username would count for nothing.
  return colon < 0 || text.includes('\0') ? undefined : [text.slice(0, colon), text.slice(colon + 1)];
}

/** About 20 ms and 16 MiB a password: paid once a user and process. */
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
async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
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

export type Authenticator = (header: string | undefined) => Promise<Caller>;

/** A user as it is stored. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly teamId: string;
  readonly passwordHash: string;
}

export interface Caller {
  readonly userId: string;
  readonly teamId: string;
}

type Credentials = readonly [username: string, password: string];
