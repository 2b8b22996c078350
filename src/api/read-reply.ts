import type { Operation } from '../contract/routes.ts';
import { type Answers, idsInPart, readAnswer } from './answer.ts';
import { classifyException, classifyStatus } from './classify.ts';
import type { Failure } from './error.ts';
import type { Redact } from './redact.ts';
import type { Reply } from './reply.ts';
import { readRetryAfter } from './retry-after.ts';
import { lineOf, wordsOf } from './service-words.ts';

export interface Answered<O extends Operation> {
  readonly status: number;
  readonly body: Answers[O];
}

/** What was asked, and what it takes to read what came back. */
export interface ReplyContext<O extends Operation> {
  readonly operation: O;
  /** The body of the request. */
  readonly sent: object | undefined;
  readonly redact: Redact;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Makes an answer or a failure of what came back. A status other than 2xx decides alone, also where its body
 * broke off; a 2xx counts only with its whole, documented body.
 */
export function readReply<O extends Operation>(
  reply: Reply,
  { operation, sent, redact, now }: ReplyContext<O>,
): Answered<O> | Failure {
  if (reply.kind === 'no-reply') return classifyException(reply.error, reply.sent);
  const { status, body } = reply;
  const failure = classifyStatus(status);
  if (failure) return { ...failure, ...detailsOf(reply, redact, now) };
  if ('bodyError' in reply)
    return {
      ...classifyException(reply.bodyError, true),
      status,
      ...named(idsInPart(body).map((id) => redact(id))),
    };
  const answer = readAnswer(operation, body, redact, sent);
  if (answer.ok) return { status, body: answer.body };
  const words = wordsOf(body, redact);
  const { problem } = answer;
  return {
    reason: 'unreadable',
    notTaken: false,
    transient: true,
    status,
    problem,
    words,
    ...named(answer.ids),
    ...locationOf(reply, redact),
  };
}

type WholeReply = Extract<Reply, { kind: 'reply' }>;

/** Of a redirect where it leads to; of a create it may be the only thing that names the new record. */
function locationOf({ headers }: WholeReply, redact: Redact): Pick<Failure, 'location'> {
  const location = firstOf(headers.location);
  return location === undefined ? {} : { location: lineOf(location, redact) };
}

function named(ids: readonly string[]): Pick<Failure, 'answeredIds'> {
  return ids.length === 0 ? {} : { answeredIds: ids };
}

function detailsOf(reply: WholeReply, redact: Redact, now: number): Partial<Failure> {
  const { headers, body } = reply;
  const retryAfterMs = readRetryAfter(firstOf(headers['retry-after']), firstOf(headers.date), now);
  return {
    words: wordsOf(body, redact),
    ...locationOf(reply, redact),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
