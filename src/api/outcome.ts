import type { Operation } from '../contract/api.ts';

export interface CallOptions {
  /**
   * Once it is aborted no attempt starts; one that is under way is waited for. A call of which nothing was sent, or
   * nothing was taken, is then `refused`, reason `interrupted`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Asked before each attempt that comes after a wait: between two attempts, or long in the queue or since `since`. False:
   * nothing more is sent, as after `signal`.
   */
  readonly mayGoOn?: (() => Promise<boolean>) | undefined;
  /** When that was last known, in milliseconds of the clock; left out, at the call. */
  readonly since?: number | undefined;
}

export interface ServiceRequest extends CallOptions {
  readonly operation: Operation;
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly body: object | undefined;
  /** The same create sent twice makes one record, so that it may be sent again when no answer was seen. */
  readonly repeatable: boolean;
}

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
  | { readonly kind: 'refused' | 'unseen'; readonly error: ServiceError };

/** Why an attempt gave no usable answer. */
export type FailureReason =
  /** No connection came about, so nothing was sent. */
  | 'unreachable'
  /** HTTP_PROXY or HTTPS_PROXY does not hold an address; nothing was sent. */
  | 'proxy'
  /** The connection could not be made secure (an untrusted certificate, say). */
  | 'tls'
  /** The connection ended before the answer was complete. */
  | 'disconnected'
  /** The answer did not come in time. */
  | 'timeout'
  /** A readable refusal or failure, 4xx or 5xx. */
  | 'status'
  /** 3xx; never followed, since the credentials would go along. */
  | 'redirect'
  /** A success status whose body is not what the interface documents, or no HTTP at all. */
  | 'unreadable'
  /** The answer is larger than 16 MiB. */
  | 'oversized'
  /** The caller's signal came before it was sent. */
  | 'interrupted';

/** What is wrong with an unreadable answer. It quotes nothing of it but documented names. */
export type AnswerProblem =
  | { readonly code: 'empty' | 'not-json' | 'not-read' | 'not-utf8' | 'refusal-with-record' | 'unusable-id' }
  | { readonly code: 'too-large'; readonly mebibytes: number }
  | { readonly code: 'too-deep'; readonly levels: number }
  /** Without a field: a name that is not documented may be a secret that the answer repeats. */
  | { readonly code: 'repeated-key'; readonly field?: string }
  /** `said`: in the words of the validator. */
  | { readonly code: 'undocumented'; readonly place: string; readonly said: string | undefined }
  | { readonly code: 'credential'; readonly field: string };

/** One attempt that gave no usable answer. All texts of the service are without secrets and not escaped. */
export interface Failure {
  readonly reason: FailureReason;
  /** The service surely did not act on this attempt: nothing was sent, or it said no. */
  readonly notTaken: boolean;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  readonly status?: number;
  /** Code of the network, TLS or HTTP parser error: `ECONNRESET`, `CERT_HAS_EXPIRED`, ... */
  readonly code?: string;
  /** The service's own words: one line, at most 500 characters. */
  readonly words?: string;
  /** Where the answer points to: a redirect's target, say. */
  readonly location?: string;
  readonly problem?: AnswerProblem;
  /** The IDs that an unreadable answer names all the same. */
  readonly answeredIds?: readonly string[];
  /** The ID that an answer to a write, which may have been taken, gives instead of the one that was asked for. */
  readonly otherId?: string;
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number;
}

/** One attempt, for those who debug: nothing of it but the path comes from the request or the answer. */
export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** From 1. */
  readonly number: number;
  readonly status: number | undefined;
  /** Undefined if it was answered. */
  readonly reason: FailureReason | undefined;
  readonly code: string | undefined;
  /** Without the wait for its turn. */
  readonly tookMs: number;
  /** Undefined if it is the last one. */
  readonly againInMs?: number | undefined;
}

/** What became of a request that was not answered usably: its last failure and what led there. */
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

/** Whether an answer that can't be read as one names IDs, or a place. */
export function namesRecord({
  answeredIds = [],
  location,
}: Pick<Failure, 'answeredIds' | 'location'>): boolean {
  return answeredIds.length > 0 || location !== undefined;
}

/** Larger answers are not read to their end. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What came back of one request, before anybody has looked into it. */
export interface Reply {
  /** Undefined where no answer began. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What came of it. */
  readonly body: Buffer;
  /** There is one where the answer is not complete. */
  readonly error?: unknown;
  /** The request had begun to leave this machine. */
  readonly sent: boolean;
}
