import type { ServiceError } from '../api/error.ts';
import type { Run } from './run.ts';

const CREDENTIAL_STATUSES = new Set([401, 403]);

/** What is wrong with the service or the credentials is wrong for every other write as well. */
export function haltOnSystemicError(error: ServiceError, run: Run): void {
  const systemic =
    error.reason === 'unreachable' ||
    error.reason === 'tls' ||
    error.reason === 'redirect' ||
    (error.status !== undefined && CREDENTIAL_STATUSES.has(error.status));
  if (systemic) run.halt({ kind: 'service', error });
}
