import { STATUS_CODES } from 'node:http';
import type { ServiceError } from '../api/outcome.ts';
import { traceOf } from '../apply/reason.ts';
import { routes } from '../contract/routes.ts';
import type { CredentialNames } from '../environment/model.ts';
import { escapeTerminal } from './escape.ts';
import { serviceErrorHint } from './service-error-hint.ts';

const codeWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: "the host name can't be resolved at the moment",
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  UND_ERR_ABORTED: 'the proxy did not open a connection',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that is not trusted here',
};

/**
 * One sentence that says what became of a request and why, and one that says what to do. Control characters
 * in what the service said are escaped; Markdown, HTML and workflow commands want their own escaping on top.
 */
export function renderServiceError(
  error: ServiceError,
  credentials: CredentialNames,
): { readonly message: string; readonly hint: string } {
  // Who has to find the record of such a create needs all that the answer names.
  const { location: _, ...redirected } = error;
  const named = error.reason === 'redirect' ? redirected : error;
  const isCreateInDoubt = error.method === 'POST' && (error.outcome === 'unseen' || error.status === 409);
  const trace = isCreateInDoubt ? traceOf(named) : '';
  const message = `${fate(error)}: ${reason(error)}${trace}${effort(error)}`;
  return { message: escapeTerminal(message), hint: escapeTerminal(serviceErrorHint(error, credentials)) };
}

function fate(error: ServiceError): string {
  const { title } = routes[error.operation];
  const request = `${title} (${error.method} ${error.path})`;
  if (error.outcome === 'unseen') {
    return error.method === 'GET' ? `${request} failed` : `The outcome of ${request} is unknown`;
  }
  return error.reason === 'status' ? `${request} was refused` : `${request} was not sent`;
}

function reason(error: ServiceError): string {
  const { baseUrl, problem = 'it is not HTTP', location, code } = error;
  switch (error.reason) {
    case 'unreachable':
      return `${baseUrl} can't be reached, ${wordsOfCode(code)}`;
    case 'proxy':
      return `${code?.replace('INVALID_', '') ?? 'the proxy variable'} does not hold the address of a proxy`;
    case 'tls':
      return `${baseUrl} is not reached securely, ${wordsOfCode(code)}`;
    case 'disconnected':
      return `the connection ended before the answer was complete, ${wordsOfCode(code)}`;
    case 'timeout':
      return 'no answer came in time';
    case 'status':
      return `${status(error)}${quote(error.words)}`;
    case 'redirect':
      return `${status(error)}${location ? `, to ${location}` : ''}; redirects are not followed`;
    case 'unreadable':
      return `the answer is not usable, ${problem}${quote(error.words)}`;
    case 'oversized':
      return 'the answer is larger than 16 MiB';
    case 'interrupted':
      return 'it was interrupted';
  }
}

function wordsOfCode(code: string | undefined): string {
  if (code === undefined) return 'for a reason that was not given';
  const words = codeWords[code];
  return words === undefined ? code : `${words} (${code})`;
}

function status({ status = 0 }: ServiceError): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

function quote(words: string | undefined): string {
  return words ? ` - "${words}"` : '';
}

function effort({ attempts, elapsedMs }: ServiceError): string {
  return attempts > 1 ? ` (${attempts} attempts in ${(elapsedMs / 1000).toFixed(1)} s)` : '';
}
