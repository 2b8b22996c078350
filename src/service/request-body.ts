import { isUtf8 } from 'node:buffer';
import type { ErrorObject } from 'ajv';
import { CreateClassifier, CreateItem, UpdateClassifier, UpdateItem } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { MAX_TEXT } from '../contract/api.ts';
import { structureProblems } from '../contract/json-structure.ts';
import type { Dialect } from './dialect.ts';
import { type FieldProblem, Refusal, refuseInvalid } from './refusal.ts';

/** Bytes of one request body. The interface documents no limit; a service without one falls to one request. */
const maxBytes = 1024 * 1024;

/**
 * Gives the JSON value of a request's body. Refuses with 415 (not JSON by its headers), 413 (over 1 MiB) or 400
 * (not whole, not UTF-8, not JSON, a key given twice, nested over 32 levels, or text that can't be stored).
 */
export async function readJson(request: Request): Promise<unknown> {
  const { headers } = request;
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity' || !jsonType.test(headers.get('content-type') ?? ''))
    throw new Refusal(
      'unsupported_media_type',
      'The request body must be sent as Content-Type: application/json, in UTF-8 and without Content-Encoding.',
    );
  const bytes = await readBytes(request).catch((error) => {
    // The client went away or was too slow, which is no failure of the service. Nobody hears this answer.
    throw error instanceof Refusal ? error : badRequest('The request body did not come to its end.');
  });
  if (!isUtf8(bytes)) throw badRequest('The request body is not valid UTF-8.');
  const text = new TextDecoder().decode(bytes);
  const value = parse(text);
  refuseInvalid(structureProblems(text));
  // Only an escape can bring such a character into JSON, so most bodies are not searched.
  if (/\\u(0000|d[89a-f])/i.test(text)) JSON.parse(text, refuseUnstorable);
  return value;
}

const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Stops reading at the limit. A Content-Length is kept to by the HTTP parser. */
async function readBytes(request: Request): Promise<Buffer> {
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) throw tooLarge();
  if (length !== null) return Buffer.from(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Refusal {
  // The rest of the body is not read, so the connection can't be used again.
  const headers = { Connection: 'close' };
  const message = `The request body must not have more than ${maxBytes} bytes.`;
  return new Refusal('body_too_large', message, { headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The request body is not JSON: ${(error as Error).message}.`);
  }
}

/** The request as such can't be read. */
function badRequest(message: string): Refusal {
  return new Refusal('bad_request', message);
}

/** A key or a text that can't be kept: half a surrogate pair has no UTF-8, and U+0000 ends a text of the database. */
function refuseUnstorable(field: string, value: unknown): unknown {
  if ([field, value].some((each) => typeof each === 'string' && /[\p{Surrogate}\0]/u.test(each)))
    refuseInvalid([{ field, message: 'must be text without U+0000 and without half a surrogate pair' }]);
  return value;
}

const validators = { CreateItem, UpdateItem, CreateClassifier, UpdateClassifier };

/**
 * Holds a body to its published schema and then to the rules that the schema can't say, with every problem at
 * once. Gives the documented fields: others have no effect, unless the dialect refuses them. Numbers are those that
 * the dialect stores (section 8 shows no precision).
 */
export function readBody<Body extends { readonly name: string; readonly thumbnail?: string | null }>(
  data: unknown,
  schema: keyof typeof validators,
  dialect: Dialect,
  /** Is asked where the schema has nothing to say. */
  problemsOf: (body: Body) => readonly FieldProblem[] = () => [],
): Body {
  const validate = validators[schema];
  const known = documentedFields[schema];
  const body = data as Body;
  refuseInvalid([
    ...(validate(data)
      ? [...tooLong({ name: body.name, thumbnail: body.thumbnail }), ...problemsOf(body)]
      : schemaProblems(validate.errors ?? [])),
    ...(dialect.unknownFields === 'rejected' ? unknownFields(data, known) : []),
  ]);
  const documented = Object.fromEntries(
    entriesOf(data).filter(([name]) => Object.hasOwn(known, name)),
  ) as Body;
  return dialect.numbers === 'exact' ? documented : JSON.parse(JSON.stringify(documented), toTwoDecimals);
}

function toTwoDecimals(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(2)) : value;
}

/** What a generated validator found, field by field, in words for the caller. */
function schemaProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  return errors.map(({ instancePath, keyword, params, message = 'is not valid' }) => {
    // `/itemAttributes/0/min` -> `itemAttributes[0].min`; the body itself is ''.
    const path = instancePath
      .replaceAll(/\/(\d+)/g, '[$1]')
      .slice(1)
      .replaceAll('/', '.');
    if (keyword === 'maxLength') return { field: path, message: tooLongMessage };
    if (keyword !== 'required') return { field: path, message: message.replace(',', ' or ') };
    const missing: string = params.missingProperty;
    return { field: path === '' ? missing : `${path}.${missing}`, message: 'is required' };
  });
}

/**
 * The fields of a body that its table in section 4 does not have, at the top and in the objects of its lists. The
 * inside of a field of which the interface shows no shape is left alone.
 */
function unknownFields(data: unknown, known: DocumentedFields, path = ''): FieldProblem[] {
  if (known === true) return [];
  if (Array.isArray(known)) {
    const elements = Array.isArray(data) ? data : [];
    return elements.flatMap((element, index) => unknownFields(element, known[0], `${path}[${index}].`));
  }
  const fields = new Map<string, DocumentedFields>(Object.entries(known));
  return entriesOf(data).flatMap(([name, value]) => {
    const inside = fields.get(name);
    return inside ? unknownFields(value, inside, path + name) : [unknownField(path + name)];
  });
}

export function unknownField(field: string): FieldProblem {
  return { field, message: 'is not a field of this request' };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/**
 * Section 8: at most 191 characters, counted as code points, in every field that a response promises to be
 * so short, also where the request's own table names no limit.
 */
function tooLong(fields: Readonly<Record<string, string | null | undefined>>): FieldProblem[] {
  return Object.entries(fields)
    .filter(([, text]) => text && text.length > MAX_TEXT && [...text].length > MAX_TEXT)
    .map(([field]) => ({ field, message: tooLongMessage }));
}

const tooLongMessage = `must not have more than ${MAX_TEXT} characters`;

/** Refuses an id in the path that no answer could show. */
export function checkPathId(field: 'id' | 'userId', id: string): void {
  const details = tooLong({ [field]: id });
  if (details.length > 0) throw new Refusal('bad_request', 'The id in the path is not valid.', { details });
}
