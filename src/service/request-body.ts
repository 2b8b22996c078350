import type { ErrorObject } from 'ajv';
import { CreateClassifier, CreateItem, UpdateClassifier, UpdateItem } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { structureProblems } from '../contract/json-structure.ts';
import { MAX_TEXT } from '../contract/limits.ts';
import type { Dialect } from './dialect.ts';
import {
  badRequest,
  done,
  type FieldProblem,
  invalidBody,
  type Outcome,
  type Refusal,
  refused,
} from './refusal.ts';

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

const validators = { CreateItem, UpdateItem, CreateClassifier, UpdateClassifier };

/**
 * Holds a body to its published schema and then to the rules that the schema can't say, with every problem at
 * once. Gives the documented fields: others have no effect, unless the dialect refuses them.
 */
export function readBody<Body>(
  data: unknown,
  schema: keyof typeof validators,
  dialect: Dialect,
  /** Is asked where the schema has nothing to say. */
  problemsOf: (body: Body) => readonly FieldProblem[],
): Outcome<Body> {
  const validate = validators[schema];
  const known = documentedFields[schema];
  const problems = [
    ...(validate(data) ? problemsOf(data as Body) : schemaProblems(validate.errors ?? [])),
    ...(dialect.unknownFields === 'rejected' ? unknownFields(data, known) : []),
  ];
  if (problems.length > 0) return refused(invalidBody(problems));
  return done(Object.fromEntries(entriesOf(data).filter(([name]) => Object.hasOwn(known, name))) as Body);
}

/** What a generated validator found, field by field, in words for the caller. */
function schemaProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  return errors.map((error) => {
    const path = fieldName(error.instancePath);
    if (error.keyword !== 'required') return { field: path, message: messageOf(error) };
    const missing: string = error.params.missingProperty;
    return { field: path === '' ? missing : `${path}.${missing}`, message: 'is required' };
  });
}

/** `/itemAttributes/0/min` -> `itemAttributes[0].min`; the body itself is ''. */
function fieldName(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
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

/** Names every element that equals an earlier one. */
export function repetitions(elements: readonly Reference[]): FieldProblem[] {
  const first = new Map<string, string>();
  return elements.flatMap(({ id, field }) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, field);
    return before === undefined ? [] : [{ field, message: `repeats ${before}` }];
  });
}

/** An id in a request, and the name of its place there. */
export interface Reference {
  readonly id: string;
  readonly field: string;
}

/**
 * Section 8: at most 191 characters, counted as code points, in every field that a response promises to be
 * so short, also where the request's own table names no limit.
 */
export function tooLong(fields: Readonly<Record<string, string | null | undefined>>): FieldProblem[] {
  return Object.entries(fields)
    .filter(([, text]) => text && text.length > MAX_TEXT && [...text].length > MAX_TEXT)
    .map(([field]) => ({ field, message: tooLongMessage }));
}

const tooLongMessage = `must not have more than ${MAX_TEXT} characters`;

/**
 * Texts (and keys) anywhere in a JSON value that can't be kept exactly: half a surrogate pair has no UTF-8,
 * and the database ends a text at U+0000.
 */
export function unstorableTexts(value: unknown, field = ''): FieldProblem[] {
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
