/** The service can't start for a reason that its user can put right; the message says which. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** The code of what the system or the database said, where one of them did: `EADDRINUSE`, `SQLITE_BUSY`. */
  get code(): string | undefined {
    return (this.cause as { readonly code?: string } | undefined)?.code;
  }
}
