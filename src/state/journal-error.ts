/**
 * The journal could not be made durable, so nothing may be sent any more. It stays failed: after a failed sync
 * the kernel may report the next one as successful although the data never reached the disk.
 */
export class JournalError extends Error {
  readonly path: string;
  /** The system's code: `ENOSPC`, `EIO`; `ESTALE` where the file was removed or replaced by somebody else. */
  readonly code: string;

  constructor(path: string, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'JournalError';
    this.path = path;
    this.code = code;
  }
}
