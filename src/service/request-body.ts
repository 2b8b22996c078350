import { structureProblems } from '../contract/json-structure.ts';
import { unstorableTexts } from './body-problems.ts';
import { badRequest, done, invalidBody, type Outcome, type Refusal, refused } from './refusal.ts';

/** Bytes of one request body. The interface documents no limit; a service without one falls to one request. */
const maxBytes = 1024 * 1024;

/**
 * Gives the JSON value of a request's body. Refuses with 415 (not JSON by its headers), 413 (over 1 MiB) or 400
 * (not whole, not UTF-8, not JSON, a key given twice, nested over 32 levels, or text that can't be stored).
 */
export async function readRequestBody(request: Request): Promise<Outcome<unknown>> {
  if (!isJson(request.headers)) return refused(unsupported);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request);
  } catch {
    // The client went away or was too slow, which is no failure of the service. Nobody hears this answer.
    return refused(badRequest('The request body did not come to its end.'));
  }
  if (bytes === undefined) return refused(tooLarge);
  const text = decoded(bytes);
  return text === undefined ? refused(badRequest('The request body is not valid UTF-8.')) : parsed(text);
}

function isJson(headers: Headers): boolean {
  const encoding = headers.get('content-encoding') ?? 'identity';
  return encoding === 'identity' && jsonType.test(headers.get('content-type') ?? '');
}

const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Stops reading at the limit; undefined then. A Content-Length is kept to by the HTTP parser. */
async function readBytes(request: Request): Promise<Uint8Array | undefined> {
  const length = request.headers.get('content-length');
  if (length !== null)
    return Number(length) > maxBytes ? undefined : new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(text: string): Outcome<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused(badRequest(`The request body is not JSON: ${(error as SyntaxError).message}.`));
  }
  const structure = structureProblems(text);
  if (structure.length > 0) return refused(invalidBody(structure));
  // Only an escape can bring such a character into JSON, so most bodies are not searched.
  const problems = /\\u(0000|d[89a-f])/i.test(text) ? unstorableTexts(value) : [];
  return problems.length > 0 ? refused(invalidBody(problems)) : done(value);
}

const unsupported: Refusal = {
  status: 415,
  code: 'unsupported_media_type',
  message:
    'The request body must be sent as Content-Type: application/json, in UTF-8 and without Content-Encoding.',
  details: [],
};

const tooLarge: Refusal = {
  status: 413,
  code: 'body_too_large',
  message: `The request body must not have more than ${maxBytes} bytes.`,
  details: [],
  // The rest of the body is not read, so the connection can't be used again.
  headers: { Connection: 'close' },
};
