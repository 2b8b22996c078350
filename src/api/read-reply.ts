import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { type Operation, routes } from '../contract/routes.ts';
import { type Answers, idsIn, readAnswer } from './answer.ts';
import { classifyException, classifyStatus } from './classify.ts';
import { type Failure, MAX_ANSWER_BYTES, type Reply } from './outcome.ts';
import type { Redact } from './redact.ts';
import { readRetryAfter } from './retry.ts';
import { lineOf, wordsOf } from './service-words.ts';

export interface Answered<O extends Operation> {
  readonly status: number;
  readonly body: Answers[O];
}

/** What was asked, and what it takes to read what came back. */
interface ReplyContext<O extends Operation> {
  readonly operation: O;
  /** A JSON value with all that an answer may repeat: the request, and what is known of the environment. */
  readonly known: unknown;
  readonly redact: Redact;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Makes an answer or a failure of what came back, and never throws: other requests are under way, and one odd answer
 * must not end them. A status other than 2xx decides alone, also where its body broke off; a 2xx counts only with its
 * whole, documented body. Whatever else an answer to a write may be, the ids that it names are kept.
 */
export function readReply<O extends Operation>(
  reply: Reply,
  context: ReplyContext<O>,
): Answered<O> | Failure {
  if (reply.kind === 'no-reply') return classifyException(reply.error, reply.sent);
  const { operation, known, redact, now } = context;
  const { status } = reply;
  const body = unpacked(reply);
  const read = () =>
    attempted(() => readAnswer(operation, body, redact, known)) ?? unusable('reading it failed');
  const traces = () => tracesOf({ ...reply, body }, redact);
  const failure = classifyStatus(status);
  if (failure) {
    const isTaken = failure.notTaken && routes[operation].method !== 'GET' && status !== 409 && read().ok;
    return { ...failure, ...(isTaken && CONTRADICTION), ...traces(), ...retryAfterOf(reply, now) };
  }
  if ('bodyError' in reply) return { ...classifyException(reply.bodyError, true), status, ...traces() };
  const answer = read();
  if (answer.ok) return { status, body: answer.body };
  const { problem } = answer;
  return { reason: 'unreadable', notTaken: false, transient: true, status, problem, ...traces() };
}

type WholeReply = Extract<Reply, { kind: 'reply' }>;

/** 409 is left out: the record that it names may well be the one that was there before. */
const CONTRADICTION = {
  notTaken: false,
  problem: 'it says no, and has the record that was asked for',
} as const;

function unusable(problem: string) {
  return { ok: false, problem } as const;
}

/** Undefined where `read` throws. */
function attempted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The part of a body that came is unpacked even if its end is missing. */
const limits = { maxOutputLength: MAX_ANSWER_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
const unpackers: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, limits),
  deflate: (body) => inflateSync(body, limits),
  br: (body) => brotliDecompressSync(body, { ...limits, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** A service may pack its answers without being asked. */
function unpacked({ headers, body }: WholeReply): Buffer {
  const coding = firstOf(headers['content-encoding'])?.trim().toLowerCase() ?? '';
  const unpack = Object.hasOwn(unpackers, coding) ? unpackers[coding] : undefined;
  return (unpack && attempted(() => unpack(body))) ?? body;
}

/** What an answer tells that can't be read as one. What one of them fails at does not lose the others. */
function tracesOf(reply: WholeReply, redact: Redact): Partial<Failure> {
  const ids = attempted(() => idsIn(reply.body, redact)) ?? [];
  return {
    words: attempted(() => wordsOf(reply.body, redact)) ?? '',
    ...(ids.length > 0 && { answeredIds: ids }),
    ...attempted(() => locationOf(reply, redact)),
  };
}

/** Of a redirect where it leads to; of a create it may be the only thing that names the new record. */
function locationOf({ headers }: WholeReply, redact: Redact): Pick<Failure, 'location'> {
  const location = firstOf(headers.location) ?? firstOf(headers['content-location']);
  return location === undefined ? {} : { location: lineOf(location, redact) };
}

function retryAfterOf({ headers }: WholeReply, now: number): Pick<Failure, 'retryAfterMs'> {
  const retryAfterMs = readRetryAfter(firstOf(headers['retry-after']), firstOf(headers.date), now);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
