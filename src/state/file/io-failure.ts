import { type Diagnostic, error } from '../../text/diagnostic.ts';

const explanations: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file or folder has its name',
  EIO: 'the disk reported an error',
  EISDIR: 'a folder stands there',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is read-only',
};

/** The system's code of an error that a file operation gave, or undefined for every other error. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('syscall' in cause) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

/** The system's reason in plain words, with its code: `no space is left on the disk (ENOSPC)`. */
export function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  if (code === undefined) throw cause;
  const explanation = explanations[code];
  return explanation === undefined ? (cause as Error).message : `${explanation} (${code})`;
}

/** What a failed file operation means to a user. Anything that is not one is our bug and is thrown again. */
export function ioFailure(what: string, path: string, cause: unknown): Diagnostic {
  return error('state-storage', `${what}: ${reasonOf(cause)}.`, {
    subject: path,
    hint: 'Put that right and run the command again.',
  });
}
