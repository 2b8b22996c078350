import type { ErrorObject } from 'ajv';
import { CreateClassifier, CreateItem, UpdateClassifier, UpdateItem } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { MAX_TEXT } from '../contract/limits.ts';
import type { Dialect } from './dialect.ts';
import { done, type FieldProblem, invalidBody, type Outcome, refused } from './refusal.ts';

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
