import type { Operation } from '../contract/routes.ts';

/**
 * What became of one request, retries included.
 *
 * - `answered`: 2xx with a body that is what the interface documents (section 4)
 * - `refused`: surely not taken
 * - `unseen`: it may or may not have happened
 *
 * A POST that was repeated after an unseen attempt stays `unseen` even where the last answer is a refusal:
 * 409 to the second attempt may mean that the first one created the record.
 */
export type Outcome<Body> =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Body }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'unseen'; readonly error: ServiceError };

/**
 * Why an attempt gave no usable answer.
 *
 * - `unreachable`: no connection came about, so nothing was sent
 * - `proxy`: HTTP_PROXY or HTTPS_PROXY does not hold an address; nothing was sent
 * - `tls`: the connection could not be made secure (an untrusted certificate, say)
 * - `disconnected`: the connection ended before the answer was complete
 * - `timeout`: the answer did not come in time
 * - `status`: a readable refusal or failure, 4xx or 5xx
 * - `redirect`: 3xx; never followed, since the credentials would go along
 * - `unreadable`: a success status whose body is not what the interface documents, or no HTTP at all
 * - `oversized`: the answer is larger than 16 MiB
 * - `interrupted`: the caller's signal came before it was sent
 */
export type FailureReason =
  | 'unreachable'
  | 'proxy'
  | 'tls'
  | 'disconnected'
  | 'timeout'
  | 'status'
  | 'redirect'
  | 'unreadable'
  | 'oversized'
  | 'interrupted';

/** One attempt that gave no usable answer. */
export interface Failure {
  readonly reason: FailureReason;
  /** The service surely did not act on this attempt: nothing was sent, or it said no. */
  readonly notTaken: boolean;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  readonly status?: number;
  /** Code of the network, TLS or HTTP parser error: `ECONNRESET`, `CERT_HAS_EXPIRED`, ... */
  readonly code?: string;
  /** The service's own words: one line, at most 500 characters, without secrets; not escaped for any medium. */
  readonly words?: string;
  /** Where the answer points to: a redirect's target, say; without secrets, not escaped. */
  readonly location?: string;
  /** What is wrong with an unreadable answer. */
  readonly problem?: string;
  /** The ids that an unreadable answer names all the same; without secrets, not escaped. */
  readonly answeredIds?: readonly string[];
  /**
   * The ID that an answer to a create, which may have been taken, gives the record in place of the one that was asked
   * for; without secrets, not escaped.
   */
  readonly otherId?: string;
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number;
}

/** What became of a request that was not answered usably: its last failure and what led there. No words yet. */
export interface ServiceError extends Failure {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the base URL. */
  readonly path: string;
  /** Without credentials, query or a slash at the end. */
  readonly baseUrl: string;
  /** Over all attempts: `unseen` as soon as one of them may have been acted on. */
  readonly outcome: 'refused' | 'unseen';
  /** How often it was tried; 0 when it was interrupted before the first time. */
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** Larger answers are not read to their end. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What came back of one request, before anybody has looked into it. */
export type Reply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      /** Set where the body ended early; `body` is what came. */
      readonly bodyError?: unknown;
    }
  /** `sent`: the request had begun to leave this machine. */
  | { readonly kind: 'no-reply'; readonly error: unknown; readonly sent: boolean };
