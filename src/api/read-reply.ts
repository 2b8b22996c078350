import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { type Operation, routes } from '../contract/routes.ts';
import { type Answers, type Asked, holdsRecord, idsIn, readAnswer } from './answer.ts';
import { classifyException, classifyStatus, codeOf } from './classify.ts';
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
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly body: object | undefined;
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
  if (reply.kind === 'no-reply')
    return {
      ...classifyException(reply.error, reply.sent),
      ...attempted(() => namedIn(restOf(reply.error), context)),
    };
  const { operation, known, redact, now } = context;
  const { status } = reply;
  const body = unpacked(reply);
  const traces = () => tracesOf({ ...reply, body }, context);
  const failure = classifyStatus(status);
  if (failure) {
    const isTaken = failure.notTaken && status !== 409 && hasRecord({ ...reply, body }, context);
    return { ...failure, ...traces(), ...(isTaken && CONTRADICTION), ...retryAfterOf(reply, now) };
  }
  if ('bodyError' in reply) return { ...classifyException(reply.bodyError, true), status, ...traces() };
  const answer = attempted(() => readAnswer(operation, body, redact, known)) ?? unusable('reading it failed');
  if (answer.ok) return { status, body: answer.body };
  const { problem } = answer;
  return { reason: 'unreadable', notTaken: false, transient: true, status, problem, ...traces() };
}

type WholeReply = Extract<Reply, { kind: 'reply' }>;

/** 409 is left out: the record that it names may well be the one that was there before. */
const CONTRADICTION = { notTaken: false, problem: 'it says no, and names a record' } as const;

/** What a refusal of a write names that it would not have if nothing had been taken. */
function hasRecord(reply: WholeReply, context: ReplyContext<Operation>): boolean {
  if (routes[context.operation].method === 'GET') return false;
  const isHeld = attempted(() => holdsRecord(reply.body, askedFor(context))) === true;
  return isHeld || (isCreate(context) && attempted(() => placeOf(reply, context)) !== undefined);
}

function isCreate({ operation }: ReplyContext<Operation>): boolean {
  return routes[operation].method === 'POST';
}

function askedFor(context: ReplyContext<Operation>): Asked {
  const { id, name } = (context.body ?? {}) as Partial<Asked>;
  return { id: isCreate(context) ? id : decodeURIComponent(context.path.split('/').at(-1) ?? ''), name };
}

/** The ID in a Location below the path of a create. */
function placeOf({ headers }: WholeReply, { path }: ReplyContext<Operation>): string | undefined {
  const location = firstOf(headers.location);
  const place = location === undefined ? '' : new URL(location, 'http://relative/').pathname;
  const [, id] = place.split(`${path}/`);
  return id === undefined || id === '' || id.includes('/') ? undefined : decodeURIComponent(id);
}

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
type Unpack = (body: Buffer) => Buffer;
const gunzip: Unpack = (body) => gunzipSync(body, limits);
const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Some services leave the wrapper out.
  deflate: (body) => attempted(() => inflateSync(body, limits)) ?? inflateRawSync(body, limits),
  br: (body) => brotliDecompressSync(body, { ...limits, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** A service may pack its answers without being asked, and without saying so: no JSON begins as gzip does. */
function unpacked({ headers, body }: WholeReply): Buffer {
  const codings = [headers['content-encoding'] ?? []].flat().join(',').toLowerCase().split(',');
  const declared = codings.reduceRight((packed, coding) => {
    const name = coding.trim();
    const unpack = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
    return (unpack && startOf(unpack, packed)) ?? packed;
  }, body);
  const isPacked = declared[0] === 0x1f && declared[1] === 0x8b;
  return (isPacked && startOf(gunzip, declared)) || declared;
}

/** What is too large is unpacked as far as it may go; undefined for what is not packed like that. */
function startOf(unpack: Unpack, body: Buffer): Buffer | undefined {
  try {
    return unpack(body);
  } catch (error) {
    if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') return undefined;
    return startOf(unpack, body.subarray(0, body.length / 2));
  }
}

/** What the parser of HTTP did not take. It begins in the middle, so that of a secret a part may be left: no words. */
function restOf(error: unknown): Buffer {
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  return Buffer.from(typeof data === 'string' ? data : '');
}

/** What an answer tells that can't be read as one. What one of them fails at does not lose the others. */
function tracesOf(reply: WholeReply, context: ReplyContext<Operation>): Partial<Failure> {
  const { redact } = context;
  const body = Buffer.concat([reply.body, restOf(reply.bodyError)]);
  return {
    words: attempted(() => wordsOf(reply.body, redact)) ?? '',
    ...attempted(() =>
      namedIn(
        body,
        context,
        attempted(() => placeOf(reply, context)),
      ),
    ),
    ...attempted(() => locationOf(reply, redact)),
  };
}

/** The IDs in an answer to a write, and the one that the record may have instead of the one that was asked for. */
function namedIn(body: Buffer, context: ReplyContext<Operation>, place?: string): Partial<Failure> {
  const { ids, own } = idsIn(body, context.redact);
  const { id: asked } = askedFor(context);
  const other = [...own, ...(place === undefined ? [] : [place])].find((id) => id !== asked);
  const isOther = isCreate(context) && typeof asked === 'string' && other !== undefined;
  return {
    ...(ids.length > 0 && { answeredIds: ids }),
    ...(isOther && { otherId: context.redact(other) }),
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
