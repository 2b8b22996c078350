import type { ErrorObject } from 'ajv';
import { CreateClassifier, CreateItem, UpdateClassifier, UpdateItem } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { structureProblems } from '../contract/json-structure.ts';
import { MAX_TEXT } from '../contract/limits.ts';
import type { Dialect } from './dialect.ts';
import { type FieldProblem, Refusal, refuseInvalid } from './refusal.ts';

/** Bytes of one request body. The interface documents no limit; a service without one falls to one request. */
const maxBytes = 1024 * 1024;

/**
 * Gives the JSON value of a request's body. Refuses with 415 (not JSON by its headers), 413 (over 1 MiB) or 400
 * (not whole, not UTF-8, not JSON, a key given twice, nested over 32 levels, or text that can't be stored).
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!isJson(request.headers)) throw unsupported();
  const bytes = await readBytes(request).catch((error) => {
    // The client went away or was too slow, which is no failure of the service. Nobody hears this answer.
    throw error instanceof Refusal ? error : badRequest('The request body did not come to its end.');
  });
  const text = attempt(
    () => utf8.decode(bytes),
    () => 'The request body is not valid UTF-8.',
  );
  const value: unknown = attempt(
    () => JSON.parse(text),
    ({ message }) => `The request body is not JSON: ${message}.`,
  );
  refuseInvalid(structureProblems(text));
  // Only an escape can bring such a character into JSON, so most bodies are not searched.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseInvalid(unstorableTexts(value));
  return value;
}

function isJson(headers: Headers): boolean {
  const encoding = headers.get('content-encoding') ?? 'identity';
  return encoding === 'identity' && jsonType.test(headers.get('content-type') ?? '');
}

const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Stops reading at the limit. A Content-Length is kept to by the HTTP parser. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) throw tooLarge();
  if (length !== null) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function attempt<T>(work: () => T, problem: (error: Error) => string): T {
  try {
    return work();
  } catch (error) {
    throw badRequest(problem(error as Error));
  }
}

/** The request as such can't be read. */
function badRequest(message: string): Refusal {
  return new Refusal('bad_request', message);
}

function unsupported(): Refusal {
  const message = 'The request body must be sent as Content-Type: application/json, in UTF-8 and without';
  return new Refusal('unsupported_media_type', `${message} Content-Encoding.`);
}

function tooLarge(): Refusal {
  // The rest of the body is not read, so the connection can't be used again.
  const headers = { Connection: 'close' };
  return new Refusal('body_too_large', `The request body must not have more than ${maxBytes} bytes.`, {
    headers,
  });
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
  return errors.map((error) => {
    // `/itemAttributes/0/min` -> `itemAttributes[0].min`; the body itself is ''.
    const path = error.instancePath
      .replaceAll(/\/(\d+)/g, '[$1]')
      .slice(1)
      .replaceAll('/', '.');
    if (error.keyword !== 'required') return { field: path, message: messageOf(error) };
    const missing: string = error.params.missingProperty;
    return { field: path === '' ? missing : `${path}.${missing}`, message: 'is required' };
  });
}

function messageOf({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'maxLength') return tooLongMessage;
  if (keyword !== 'type') return message;
  const types = [params.type].flat().map((type: string) => described[type] ?? type);
  return `must be ${types.join(' or ')}`;
}

const described: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};

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
  const called = field === 'id' ? 'id' : 'user id';
  if (details.length > 0)
    throw new Refusal('bad_request', `The ${called} in the path is not valid.`, { details });
}

/**
 * Texts (and keys) anywhere in a JSON value that can't be kept exactly: half a surrogate pair has no UTF-8,
 * and the database ends a text at U+0000.
 */
function unstorableTexts(value: unknown, field = ''): FieldProblem[] {
  if (typeof value === 'string') return unstorable.test(value) ? [{ field, message: unstorableMessage }] : [];
  if (Array.isArray(value))
    return value.flatMap((element, index) => unstorableTexts(element, `${field}[${index}]`));
  return entriesOf(value).flatMap(([key, element]) => {
    const inside = field === '' ? key : `${field}.${key}`;
    return unstorable.test(key) ? [{ field, message: unstorableMessage }] : unstorableTexts(element, inside);
  });
}

const unstorable = /[\p{Surrogate}\0]/u;
const unstorableMessage = 'must be text without U+0000 and without half a surrogate pair';
