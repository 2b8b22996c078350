import { STATUS_CODES } from 'node:http';
import type { Attempt, FailureReason, ServiceError } from '../api/outcome.ts';
import { idIn, type Operation, REDACTED, routes } from '../contract/api.ts';
import type { CredentialNames } from '../environment/model.ts';
import { type ExplainedDiagnostic, explained } from './messages/explain-problem.ts';
import { problemText, type ShownError, traceText } from './messages/seen-text.ts';
import { systemReason } from './messages/sentences.ts';
import { escapeTerminal, linesOf } from './terminal.ts';

/**
 * One sentence that says what became of a request and why, and one that says what to do. Control characters
 * in what the service said are escaped; Markdown, HTML and workflow commands want their own escaping on top.
 */
export function renderServiceError(
  error: ShownError,
  credentials: CredentialNames,
): { readonly message: string; readonly hint: string } {
  // Who has to find the record of such a create needs all that the answer names.
  const { location: _, ...redirected } = error;
  const named = error.reason === 'redirect' ? redirected : error;
  const isCreateInDoubt = error.method === 'POST' && (error.outcome === 'unseen' || error.status === 409);
  const trace = isCreateInDoubt ? traceText(named) : '';
  const [why, cause] = causes[error.reason](error, credentials);
  const { attempts, elapsedMs } = error;
  const effort = attempts > 1 ? ` (${attempts} attempts in ${(elapsedMs / 1000).toFixed(1)} s)` : '';
  const message = `${fate(error)}: ${why}${trace}${effort}`;
  return { message: escapeTerminal(message), hint: escapeTerminal(hintOf(error, cause)) };
}

/** The same as a problem. `left`: what is true all the same; the create is pending that an ID was given for. */
export function serviceProblem(
  error: ServiceError,
  credentials: CredentialNames,
  left?: 'nothing-written' | { readonly pending: string; readonly flags: string },
): ExplainedDiagnostic {
  const { message, hint } = renderServiceError(error, credentials);
  if (left === undefined) return explained('service', message, { hint });
  if (left === 'nothing-written')
    return explained('service', `the check before the first write failed: ${message}`, {
      hint: `nothing was written; ${hint}`,
    });
  const next = `; if the service has no record of ${left.pending} under any ID: trove resolve ${left.pending}${left.flags} --not-created`;
  return explained('service', message, {
    hint: `the create is still pending; ${hint}${namesNothing(error) ? next : ''}`,
  });
}

/** The service may not have the ID that the path names; or a wrong base URL leads to another server. */
function namesNothing({ method, outcome, status }: ShownError): boolean {
  return method !== 'POST' && outcome === 'refused' && status === 404;
}

/** For those who debug. */
export function attemptText(attempt: Attempt): string {
  const { method, path, number, status, reason, code, tookMs, againInMs } = attempt;
  const seen = linesOf(status?.toString(), reason !== 'status' && reason, code).join(' ');
  const again = againInMs === undefined ? '' : `, again in ${Math.round(againInMs)} ms`;
  return escapeTerminal(`${method} ${path} attempt ${number}: ${seen} in ${Math.round(tookMs)} ms${again}`);
}

function fate(error: ShownError): string {
  const { title } = routes[error.operation];
  const request = `${title} (${error.method} ${error.path})`;
  if (error.outcome === 'unseen') {
    return error.method === 'GET' ? `${request} failed` : `the outcome of ${request} is unknown`;
  }
  return error.reason === 'status' ? `${request} was refused` : `${request} was not sent`;
}

const nouns: Readonly<Record<Operation, string>> = {
  createItem: 'item',
  updateItem: 'item',
  createClassifier: 'classifier',
  updateClassifier: 'classifier',
  listUserSpaces: 'user',
};

type Cause = (error: ShownError, credentials: CredentialNames) => readonly [why: string, hint?: string];

/** Why there is no usable answer, and what a person can do about that. */
const causes: Readonly<Record<FailureReason, Cause>> = {
  unreachable: ({ baseUrl, code }) => [
    `${baseUrl} can't be reached: ${wordsOfCode(code)}`,
    `check that the service runs at ${baseUrl} and that baseUrl of the environment is right`,
  ],
  proxy: ({ code = 'the proxy variable' }) => [
    `${code.replace('INVALID_', '')} is not the address of a proxy`,
    'set it to something like http://proxy.example:3128, or unset it',
  ],
  tls: ({ baseUrl, code }) => [
    `${baseUrl} can't be reached securely: ${wordsOfCode(code)}`,
    'if your own authority issued the certificate, set NODE_EXTRA_CA_CERTS to its file',
  ],
  disconnected: ({ code }) => [`no complete response arrived: ${wordsOfCode(code)}`],
  timeout: () => ['the request timed out'],
  status: (error, credentials) => [`${status(error)}${quote(error.words)}`, statusHint(error, credentials)],
  redirect: (error) => [
    `${status(error)}${error.location ? `, to ${error.location}` : ''}; redirects are not followed`,
    'set baseUrl of the environment to an address that does not redirect',
  ],
  unreadable: ({ baseUrl, problem = 'it is not HTTP', words }) => [
    `the response is not usable: ${problemText(problem)}${quote(words)}`,
    `check that ${baseUrl} is the item service: its last path segment is usually api`,
  ],
  oversized: ({ baseUrl }) => [
    'the response is larger than 16 MiB',
    `check that ${baseUrl} is the item service`,
  ],
  interrupted: () => ['it was interrupted'],
};

function wordsOfCode(code: string | undefined): string {
  if (code === undefined) return 'unknown reason';
  return systemReason({ code, said: code });
}

function status({ status = 0 }: ShownError): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

function quote(words: string | undefined): string {
  if (!words) return '';
  return ` - "${words}"${words.includes(`${REDACTED}]`) ? ' (redacted: it repeats a credential)' : ''}`;
}

function hintOf({ method, outcome, reason }: ShownError, cause: string | undefined): string {
  if (outcome !== 'unseen') return cause ?? 'run the same command again';
  const next =
    method === 'POST'
      ? 'the record may exist: look for it in the service, then settle it with trove resolve'
      : 'run the same command again; it is safe to repeat';
  return cause === undefined || reason === 'status' ? next : `${cause}; ${next}`;
}

function statusHint(error: ShownError, { usernameFrom, passwordFrom }: CredentialNames): string {
  const { method, baseUrl } = error;
  const place = `check baseUrl of the environment (${baseUrl}): its last path segment is usually api`;
  switch (error.status) {
    case 401:
    case 403:
      return `check the username and the password: the values of ${usernameFrom} and ${passwordFrom}`;
    case 404:
      if (method === 'POST') return place;
      return `the service may have no ${nouns[error.operation]} with ID ${idIn(error.path)}: check that the ID belongs to the team of these credentials; if every ID is refused, check baseUrl of the environment (${baseUrl})`;
    case 405:
      return place;
    case 407:
      return 'the proxy requires a username and a password: add them to HTTP_PROXY or HTTPS_PROXY';
    case 409:
      return method === 'POST'
        ? 'the record already exists but is not in the state: check that this is the right state for the team'
        : 'the update conflicts with something in the service: fix what it names, then run the same command again';
    case 429:
      return 'too many requests: run it again later, or with a lower --parallel';
    default:
      return 'the service rejected this request: fix what it names, then run the same command again';
  }
}
