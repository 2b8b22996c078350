import type { FailureReason, ServiceError } from '../api/outcome.ts';
import type { CredentialNames } from '../environment/model.ts';

/** One sentence that says what a person can do about an error of the service; not escaped. */
export function serviceErrorHint(error: ServiceError, credentials: CredentialNames): string {
  if (error.reason === 'status' && error.status !== undefined)
    return statusHint(error, error.status, credentials);
  const cause = causeHints[error.reason]?.(error);
  if (error.outcome === 'unseen') return cause ? `${cause} ${unseenHint(error)}` : unseenHint(error);
  return cause ?? 'Run the same command again.';
}

const causeHints: Partial<Record<FailureReason, (error: ServiceError) => string>> = {
  unreachable: ({ baseUrl }) =>
    `Check that the service runs at ${baseUrl} and that baseUrl of the environment is right.`,
  proxy: () => 'Set it to something like http://proxy.example:3128, or unset it.',
  tls: () =>
    'Where the certificate comes from an authority of your own, name its file in NODE_EXTRA_CA_CERTS.',
  redirect: () => 'Set baseUrl of the environment to the address that answers by itself.',
  unreadable: ({ baseUrl }) =>
    `Check that ${baseUrl} is the item service: its last path segment is usually api.`,
  oversized: ({ baseUrl }) => `Check that ${baseUrl} is the item service.`,
};

function statusHint(error: ServiceError, status: number, credentials: CredentialNames): string {
  if (error.outcome === 'unseen') return unseenHint(error);
  if (status === 401 || status === 403) {
    const { usernameFrom, passwordFrom } = credentials;
    return `Check the username and the password: the values of ${usernameFrom} and ${passwordFrom}.`;
  }
  if (status === 404 || status === 405) return notFoundHint(error);
  if (status === 407)
    return 'The proxy wants a username and a password: put them into HTTP_PROXY or HTTPS_PROXY.';
  if (status === 409 && error.method !== 'POST')
    return 'The service has something that this update conflicts with: put right what it names, then run the same command again.';
  if (status === 409)
    return 'The record exists already, and the state does not know it: check that it is the right state of this team.';
  if (status === 429)
    return 'The service wants fewer requests: run it again later, or with a lower --parallel.';
  return 'The service did not accept this request: put right what it names, then run the same command again.';
}

function notFoundHint({ method, baseUrl }: ServiceError): string {
  const place = `Check baseUrl of the environment (${baseUrl}): its last path segment is usually api.`;
  return method === 'POST' ? place : `The service may not know this id. ${place}`;
}

function unseenHint({ method }: ServiceError): string {
  if (method !== 'POST') return 'Run the same command again: it may safely be repeated.';
  return 'The record may exist: look for it in the service, then settle it with trove resolve.';
}
