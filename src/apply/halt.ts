import type { ServiceError } from '../api/error.ts';
import type { Run } from './run.ts';

const CREDENTIAL_STATUSES = new Set([401, 403]);

/** What is wrong with the service or the credentials is wrong for every other write as well. */
export function isSystemic({ reason, status }: ServiceError): boolean {
  return (
    reason === 'unreachable' ||
    reason === 'tls' ||
    reason === 'redirect' ||
    (status !== undefined && CREDENTIAL_STATUSES.has(status))
  );
}

export function haltOnSystemicError(error: ServiceError, run: Run): void {
  if (isSystemic(error)) run.halt({ kind: 'service', error });
}
