import type { ErrorObject } from 'ajv';
import { type Diagnostic, error } from './diagnostic.ts';
import { nearest } from './nearest.ts';
import { quoted } from './quoted.ts';
import { type Path, type SchemaNode, schemaAt, shownPath, valueAt } from './schema-path.ts';
import type { YamlDocument } from './yaml.ts';

/** One error of a validator, with all that a sentence about it needs. */
export interface Misfit {
  readonly document: YamlDocument;
  readonly schema: SchemaNode;
  readonly path: Path;
  readonly found: ErrorObject;
}

/** One sentence, with its place, for what does not fit the schema. */
export function sentenceOf(misfit: Misfit): Diagnostic {
  const sentence = sentences[misfit.found.keyword] ?? otherwise;
  return sentence(misfit);
}

const sentences: Readonly<Record<string, (misfit: Misfit) => Diagnostic>> = {
  type: wrongType,
  additionalProperties: unknownProperty,
  required: missingProperty,
  dependentRequired: dependentProperty,
  minLength: (misfit) => problem(misfit, 'text-length', `${subject(misfit)} must not be empty`),
  maxLength: tooLong,
  minItems: (misfit) => problem(misfit, 'invalid-value', `${subject(misfit)} must not be empty`),
  minimum: (misfit) =>
    problem(misfit, 'invalid-value', `${subject(misfit)} must be at least ${misfit.found.params.limit}`),
  pattern: (misfit) => (misfit.found.propertyName === undefined ? badText(misfit) : badKey(misfit)),
  enum: notAllowed,
  uniqueItems: repeated,
};

function otherwise(misfit: Misfit): Diagnostic {
  return problem(misfit, 'invalid-value', `${subject(misfit)} ${misfit.found.message ?? 'is not valid'}`);
}

function unknownProperty(misfit: Misfit): Diagnostic {
  const name = String(misfit.found.params.additionalProperty);
  const { properties = {}, title } = schemaAt(misfit.schema, misfit.path);
  const meant = nearest(name, Object.keys(properties));
  const hint = meant ? `did you mean ${quoted(meant)}?` : `known are ${list(Object.keys(properties))}`;
  const where = title ? ` in ${title.toLowerCase()}` : '';
  const location = misfit.document.locate([...misfit.path, name], 'key');
  return error('unknown-property', `unknown property ${quoted(name)}${where}`, { location, hint });
}

function missingProperty(misfit: Misfit): Diagnostic {
  const names: readonly string[] = misfit.found.params.names;
  const location = misfit.document.locate(misfit.path, 'key');
  return error('missing-property', `${subject(misfit)} needs ${list(names)}`, { location });
}

function dependentProperty(misfit: Misfit): Diagnostic {
  const { property, missingProperty: missing } = misfit.found.params;
  const location = misfit.document.locate([...misfit.path, property], 'key');
  return error('missing-property', `${quoted(property)} also needs ${quoted(missing)}`, { location });
}

function tooLong(misfit: Misfit): Diagnostic {
  const length = [...String(valueAt(misfit.document.value, misfit.path))].length;
  const limit = misfit.found.params.limit;
  return problem(
    misfit,
    'text-length',
    `${subject(misfit)} has ${length} characters, and at most ${limit} are allowed`,
  );
}

function badKey(misfit: Misfit): Diagnostic {
  const name = String(misfit.found.propertyName);
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const hint = slug === '' ? 'for example `iron-sword`' : `for example ${quoted(slug)}`;
  const message = `${quoted(name)} is not a key: keys are lower-case letters and digits in words joined by - or _`;
  const location = misfit.document.locate([...misfit.path, name], 'key');
  return error('invalid-key', message, { location, hint });
}

function badText(misfit: Misfit): Diagnostic {
  const value = quoted(String(valueAt(misfit.document.value, misfit.path)));
  const { description } = schemaAt(misfit.schema, misfit.path);
  return problem(
    misfit,
    'invalid-value',
    `${subject(misfit)} can't be ${value}`,
    description && `expected: ${description.replace(/\.$/, '')}`,
  );
}

function notAllowed(misfit: Misfit): Diagnostic {
  const values: readonly unknown[] = misfit.found.params.allowedValues;
  const allowed = values.map(String);
  const value = valueAt(misfit.document.value, misfit.path);
  const isQuoted = typeof value === 'string' && values.includes(Number(value));
  const meant = typeof value === 'string' ? nearest(value, allowed) : undefined;
  const shown =
    value === null ? 'empty' : quoted(typeof value === 'object' ? typeNameOf(value) : String(value));
  const hint = isQuoted ? 'remove the quotes' : meant ? `did you mean ${quoted(meant)}?` : undefined;
  return problem(
    misfit,
    'invalid-value',
    `${subject(misfit)} can't be ${shown}: possible is ${list(allowed)}`,
    hint,
  );
}

function repeated(misfit: Misfit): Diagnostic {
  const { i, j } = misfit.found.params;
  const [first, later] = i < j ? [i, j] : [j, i];
  const value = valueAt(misfit.document.value, [...misfit.path, later]);
  const location = misfit.document.locate([...misfit.path, later]);
  const related = [
    { message: 'first listed here', location: misfit.document.locate([...misfit.path, first]) },
  ];
  const shown = typeof value === 'object' ? 'an entry' : quoted(String(value));
  return error('repeated-value', `${shown} is listed twice in ${subject(misfit)}`, { location, related });
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Says what stands where another type is wanted, and how people come to write it so. */
function wrongType(misfit: Misfit): Diagnostic {
  const allowed = [misfit.found.params.type]
    .flat()
    .filter((type) => type !== 'null' || misfit.path.length > 0);
  const wanted = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  const value = valueAt(misfit.document.value, misfit.path);
  if (value === null)
    return problem(misfit, 'wrong-type', `${subject(misfit)} must be ${wanted}, and nothing is given`);
  const hint =
    wanted === 'a number' && typeof value === 'string'
      ? numberHint(value)
      : wanted === 'text' && typeof value !== 'object'
        ? 'put it in quotes'
        : undefined;
  const given = wanted === 'a whole number' && typeof value === 'number' ? value : typeNameOf(value);
  return problem(misfit, 'wrong-type', `${subject(misfit)} must be ${wanted}, not ${given}`, hint);
}

/** What to write for a text that people take for a number. */
function numberHint(text: string): string | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return 'remove the quotes';
  if (!/^[-+]?\d[\d.,' ]*$/.test(text)) return undefined;
  const point = text.replace(',', '.');
  if (!/^[-+]?\d+\.\d+$/.test(point)) return 'write it with a decimal point and without other marks: 1500.25';
  const thousands = /^[-+]?\d{1,3},\d{3}$/.test(text) ? `, or ${quoted(text.replace(',', ''))}` : '';
  return `write ${quoted(point)}${thousands}: a number has a decimal point`;
}

/** What a value is, in words: `a list`, `true`. */
function typeNameOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  return typeNames[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}

/** A diagnostic at the value that the misfit is about. */
function problem(misfit: Misfit, rule: string, message: string, hint?: string): Diagnostic {
  const location = misfit.document.locate(misfit.path);
  return error(rule, message, { location, ...(hint && { hint }) });
}

/** The value by the last name on the way to it: `name`, `slot[1]`. */
function subject({ path }: Misfit): string {
  const from = path.findLastIndex((step) => typeof step === 'string');
  return path.length === 0 ? 'the file' : quoted(shownPath(path.slice(Math.max(0, from))));
}

/** Names as they are read aloud: `a`, `b` and `c`. */
function list(names: readonly string[]): string {
  const shown = names.map(quoted);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
