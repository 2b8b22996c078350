/** The service can't start for a reason that its user can put right; the message says which. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
