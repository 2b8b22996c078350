const explanations: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'it is not a regular file',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file or folder has its name',
  EIO: 'the disk reported an error',
  EISDIR: 'a folder stands there',
  ELOOP: 'its links go round in a circle',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  ENXIO: 'it is a socket or a device',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is read-only',
};

/** What a code of the system means, in words; undefined for a rare one. */
export function explanationOf(code: string): string | undefined {
  return explanations[code];
}

/** The system's code of an error that a file operation gave, or undefined for every other error. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('syscall' in cause) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

/** The system's reason in plain words, with its code: `no space is left on the disk (ENOSPC)`. */
export function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  if (code === undefined) throw cause;
  const explanation = explanationOf(code);
  return explanation === undefined ? (cause as Error).message : `${explanation} (${code})`;
}
