import type { ErrorObject } from 'ajv';
import { type Diagnostic, error } from './diagnostic.ts';
import { didYouMean, nearest } from './nearest.ts';
import { ProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import { type Path, pathOf, type SchemaNode, schemaAt, shownPath, valueAt } from './schema-path.ts';
import type { YamlDocument } from './yaml.ts';

/**
 * A validator's errors about one document as sentences with places, one for each cause. `already` are the
 * problems that reading the document gave: what stands at the place of one of them is not complained about again.
 */
export function schemaProblems(
  document: YamlDocument,
  schema: SchemaNode,
  found: readonly ErrorObject[],
  already: readonly Diagnostic[] = [],
): readonly Diagnostic[] {
  const known = new Set(already.map(({ location }) => location?.start));
  const problems = new ProblemList();
  for (const { instancePath, keyword, params, propertyName, message } of withoutEchoes(found)) {
    const describe = () => {
      const path = pathOf(instancePath, document.value);
      const from = path.findLastIndex((step) => typeof step === 'string');
      const subject = path.length === 0 ? 'the file' : quoted(shownPath(path.slice(Math.max(0, from))));
      const misfit = { document, path, subject, value: valueAt(document.value, path), params, propertyName };
      const sentence = sentences[keyword];
      return sentence
        ? sentence({ ...misfit, schema: schemaAt(schema, path) })
        : invalid(misfit, `${subject} ${message ?? 'is not valid'}`);
    };
    if (known.size === 0 || !known.has(describe().location?.start)) problems.add(describe);
  }
  return problems.all();
}

/** Keywords that only repeat what others say, and missing properties that an unknown one was meant to be. */
function withoutEchoes(found: readonly ErrorObject[]): ErrorObject[] {
  const missing = new Map<string, string[]>();
  for (const { instancePath, keyword, params } of found) {
    if (keyword !== 'required') continue;
    missing.set(instancePath, [...(missing.get(instancePath) ?? []), params.missingProperty]);
  }
  for (const { instancePath, keyword, params } of found) {
    const names = missing.get(instancePath);
    if (keyword !== 'additionalProperties' || !names) continue;
    const meant = nearest(params.additionalProperty, names);
    missing.set(
      instancePath,
      names.filter((name) => name !== meant),
    );
  }
  return found.flatMap((one) => {
    if (['propertyNames', 'if'].includes(one.keyword) || one.schemaPath.includes('/oneOf')) return [];
    if (one.keyword !== 'required') return [one];
    const names = missing.get(one.instancePath) ?? [];
    missing.delete(one.instancePath);
    return names.length > 0 ? [{ ...one, params: { names } }] : [];
  });
}

/** A value that does not fit its schema, with all that a sentence about it needs. */
interface Misfit {
  readonly document: YamlDocument;
  readonly path: Path;
  readonly value: unknown;
  /** The value by the last name on the way to it: `name`, `slot[1]`. */
  readonly subject: string;
  /** What the keyword of the schema asks for. */
  readonly params: ErrorObject['params'];
  /** Where it is a key that does not fit. */
  readonly propertyName: string | undefined;
  readonly schema: SchemaNode;
}

/** By the keyword of the schema. */
const sentences: Readonly<Record<string, (misfit: Misfit) => Diagnostic>> = {
  type: wrongType,
  additionalProperties: unknownProperty,
  required: (misfit) =>
    atKey(misfit, [], 'missing-property', `${misfit.subject} needs ${list(misfit.params.names)}`),
  dependentRequired: (misfit) => {
    const { property, missingProperty } = misfit.params;
    const message = `${quoted(property)} also needs ${quoted(missingProperty)}`;
    return atKey(misfit, [property], 'missing-property', message);
  },
  minLength: (misfit) => invalid(misfit, `${misfit.subject} must not be empty`, { rule: 'text-length' }),
  maxLength: (misfit) => {
    const length = [...String(misfit.value)].length;
    const message = `${misfit.subject} has ${length} characters, and at most ${misfit.params.limit} are allowed`;
    return invalid(misfit, message, { rule: 'text-length' });
  },
  minItems: (misfit) => invalid(misfit, `${misfit.subject} must not be empty`),
  minimum: (misfit) => invalid(misfit, `${misfit.subject} must be at least ${misfit.params.limit}`),
  pattern: (misfit) => (misfit.propertyName === undefined ? badText(misfit) : badKey(misfit)),
  enum: notAllowed,
  uniqueItems: repeated,
};

/** A diagnostic at the value that the misfit is about. */
function invalid(
  { document, path }: Pick<Misfit, 'document' | 'path'>,
  message: string,
  { rule = 'invalid-value', hint }: { readonly rule?: string; readonly hint?: string | undefined } = {},
): Diagnostic {
  return error(rule, message, { location: document.locate(path), ...(hint && { hint }) });
}

/** The same at the key of that value, or of one below it. */
function atKey({ document, path }: Misfit, below: Path, rule: string, message: string, hint?: string) {
  const location = document.locate([...path, ...below], 'key');
  return error(rule, message, { location, ...(hint && { hint }) });
}

function unknownProperty(misfit: Misfit): Diagnostic {
  const name = String(misfit.params.additionalProperty);
  const { properties = {}, title } = misfit.schema;
  const known = Object.keys(properties);
  const where = title ? ` in ${title.toLowerCase()}` : '';
  const hint = didYouMean(name, known) ?? `known are ${list(known)}`;
  return atKey(misfit, [name], 'unknown-property', `unknown property ${quoted(name)}${where}`, hint);
}

function badKey(misfit: Misfit): Diagnostic {
  const name = String(misfit.propertyName);
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const message = `${quoted(name)} is not a key: keys are lower-case letters and digits in words joined by - or _`;
  return atKey(misfit, [name], 'invalid-key', message, `for example ${quoted(slug || 'iron-sword')}`);
}

function badText(misfit: Misfit): Diagnostic {
  const { description } = misfit.schema;
  const hint = description && `expected: ${description.replace(/\.$/, '')}`;
  return invalid(misfit, `${misfit.subject} can't be ${quoted(String(misfit.value))}`, { hint });
}

function notAllowed(misfit: Misfit): Diagnostic {
  const { subject, value } = misfit;
  const values: readonly unknown[] = misfit.params.allowedValues;
  const allowed = values.map(String);
  const isText = typeof value === 'string';
  const isQuoted = isText && values.includes(Number(value));
  const hint = isQuoted ? 'remove the quotes' : isText ? didYouMean(value, allowed) : undefined;
  const shown =
    value === null ? 'empty' : quoted(typeof value === 'object' ? typeNameOf(value) : String(value));
  return invalid(misfit, `${subject} can't be ${shown}: possible is ${list(allowed)}`, { hint });
}

function repeated({ document, path, subject, value, params }: Misfit): Diagnostic {
  const [first, later] = [params.i, params.j].sort((one, other) => one - other);
  const entry = valueAt(value, [later]);
  const related = [{ role: 'first-listed', location: document.locate([...path, first]) } as const];
  const shown = typeof entry === 'object' ? 'an entry' : quoted(String(entry));
  const location = document.locate([...path, later]);
  return error('repeated-value', `${shown} is listed twice in ${subject}`, { location, related });
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
  const { subject, value, path } = misfit;
  const allowed = [misfit.params.type].flat().filter((type) => type !== 'null' || path.length > 0);
  const wanted = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  const rule = 'wrong-type';
  if (value === null) return invalid(misfit, `${subject} must be ${wanted}, and nothing is given`, { rule });
  const isNumberAsText = wanted === 'a number' && typeof value === 'string';
  const isOther = wanted.startsWith('text') && typeof value !== 'object';
  const hint = isNumberAsText ? numberHint(value) : isOther ? 'put it in quotes' : undefined;
  const given = wanted === 'a whole number' && typeof value === 'number' ? value : typeNameOf(value);
  return invalid(misfit, `${subject} must be ${wanted}, not ${given}`, { rule, hint });
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

/** Names as they are read aloud: `a`, `b` and `c`. */
function list(names: readonly string[]): string {
  const shown = names.map(quoted);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
