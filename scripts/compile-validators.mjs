// JSON Schemas -> plain functions, once, at build time: no schema is compiled while a user waits, and the
// interface's OpenAPI document, the client and the embedded service can't disagree.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import Ajv from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { parse } from 'yaml';

const schemaFiles = [
  'catalog',
  'environment',
  'state',
  'plan',
  'world',
  'faults',
  'dialect',
  'events',
  'import',
];

/** Schemas whose types have a file of their own, and what the type of the whole is called. */
const withTypes = {
  catalog: 'catalogFile',
  environment: 'environmentFile',
  plan: 'savedPlan',
  state: 'state',
};

/** Schemas of which some parts are validated on their own, too. */
const withParts = {
  state: [
    'address',
    'answer',
    'liveRecord',
    'optionIds',
    'pendingCreate',
    'recordedRequest',
    'unconfirmedUpdate',
  ],
};

/** Writes one module a schema into `folder`, each self-contained, with its types beside it. */
export async function compileValidators(folder) {
  await mkdir(folder, { recursive: true });
  const types = await Promise.all(schemaFiles.map((name) => compileSchema(folder, name)));
  await writeFile(`${folder}/settings-types.d.ts`, types.join(''));
  await compileWire(folder);
}

/** Writes the types of such a file; gives those of the settings of the embedded service: `Faults`, `FaultRule`, ... */
async function compileSchema(folder, name) {
  const schema = JSON.parse(await readFile(`schemas/${name}.schema.json`, 'utf8'));
  const parts = withParts[name] ?? [];
  const exports = Object.fromEntries(parts.map((part) => [part, `${schema.$id}#/$defs/${part}`]));
  await writeModule(folder, name, schema, { validate: schema.$id, ...exports });
  const types = () => typesOf({ ...schema.$defs, [withTypes[name] ?? name]: schema });
  if (name in withTypes) await writeFile(`${folder}/${name}-types.d.ts`, types());
  return ['world', 'faults', 'dialect'].includes(name) ? types() : '';
}

/** Every named schema of the OpenAPI document becomes a validator of the same name: `Item`, `CreateItem`, ... */
async function compileWire(folder) {
  const document = parse(await readFile('schemas/item-service.openapi.yaml', 'utf8'));
  const text = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  const schema = { $id: 'wire', $defs: JSON.parse(text) };
  const names = Object.keys(schema.$defs);
  await writeModule(
    folder,
    'wire',
    schema,
    Object.fromEntries(names.map((name) => [name, `wire#/$defs/${name}`])),
  );
  await writeFields(folder, schema.$defs);
  await writeFile(`${folder}/wire-types.d.ts`, typesOf(schema.$defs));
}

function typesOf(defs) {
  const types = Object.entries(defs).map(
    ([name, schema]) => `${comment(schema)}export type ${capitalized(name)} = ${typeOf(schema)};\n`,
  );
  return types.join('');
}

function capitalized(name) {
  return `${name[0].toUpperCase()}${name.slice(1)}`;
}

/** The TypeScript type of what a schema of the document describes. An object of no known shape can hold anything. */
function typeOf({ properties, ...schema }) {
  if (Array.isArray(schema.type) && (properties || schema.items))
    return oneOfTypes({ properties, ...schema });
  const shape = properties && shapeOf(properties, schema);
  const { $ref, type, items, enum: values, pattern, additionalProperties } = schema;
  if ($ref) return [capitalized($ref.replace('#/$defs/', '')), shape].filter(Boolean).join(' & ');
  const cases = schema.oneOf ?? schema.anyOf;
  // One that only asks for a property says nothing of its type.
  if (cases?.every(({ required }) => !required)) return cases.map(typeOf).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items) return `readonly (${typeOf(items)})[]`;
  if (shape) return shape;
  if (type === 'object') return `Readonly<Record<string, ${typeOf(additionalProperties || {})}>>`;
  return textOf(pattern) ?? scalarOf(type ?? 'unknown');
}

/** Of a list what is in it says more, and of an object what it has. */
function oneOfTypes({ type, items, properties, ...schema }) {
  const parts = { array: { items }, object: { ...schema, properties } };
  return type.map((each) => typeOf({ type: each, ...parts[each] })).join(' | ');
}

/** What stands at a place in either of two cases is one of both. What may be anything is said elsewhere. */
function shapeOf(properties, { required = [], then, else: otherwise }) {
  const either = (name, schema) => {
    const cases = [then, otherwise].map((each) => each?.properties?.[name]);
    return cases.every(Boolean) ? { ...schema, anyOf: cases } : schema;
  };
  const fields = Object.entries(properties)
    .filter(([, schema]) => schema !== true)
    .map(
      ([name, schema]) =>
        `  ${comment(schema)}readonly '${name}'${required.includes(name) ? '' : '?'}: ${typeOf(either(name, schema))};`,
    );
  return ['{', ...fields, '}'].join('\n');
}

/** The text of a pattern that begins with a choice of words and a dot: what follows these is any text. */
function textOf(pattern = '') {
  const [, words] = /^\^\(\?:([a-z|]+)\)(?:\(\?:)?\\\./.exec(pattern) ?? [];
  return words && `\`\${'${words.replaceAll('|', "' | '")}'}.\${string}\``;
}

function scalarOf(type) {
  return [type].flat().join(' | ').replace('integer', 'number');
}

function comment({ description }) {
  return description ? `/** ${description} */ ` : '';
}

/** Which fields each named schema documents, so that no other one of an answer is kept. */
async function writeFields(folder, defs) {
  const fieldsOf = ({ $ref, properties, items }) => {
    if ($ref) return fieldsOf(defs[$ref.replace('#/$defs/', '')]);
    if (items) return [fieldsOf(items)];
    if (!properties) return true;
    return Object.fromEntries(Object.entries(properties).map(([name, below]) => [name, fieldsOf(below)]));
  };
  const all = Object.fromEntries(Object.entries(defs).map(([name, schema]) => [name, fieldsOf(schema)]));
  await writeFile(`${folder}/wire-fields.js`, `export const documentedFields = ${JSON.stringify(all)};\n`);
  const types = `export type DocumentedFields = true | readonly [DocumentedFields] | { readonly [name: string]: DocumentedFields };
export declare const documentedFields: Record<${Object.keys(all)
    .map((name) => `'${name}'`)
    .join(' | ')}, Exclude<DocumentedFields, true>>;
`;
  await writeFile(`${folder}/wire-fields.d.ts`, types);
}

async function writeModule(folder, name, schema, exports) {
  const ajv = new Ajv.default({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    code: { source: true, esm: true },
  });
  // Marks what may hold ${NAME}; src/catalog/template.ts reads it.
  ajv.addKeyword({ keyword: 'x-trove-interpolated', schemaType: 'boolean' });
  ajv.addSchema(schema);
  const { outputFiles } = await build({
    stdin: {
      contents: linear(standaloneCode.default(ajv, exports)),
      resolveDir: process.cwd(),
      loader: 'js',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  await writeFile(`${folder}/${name}.js`, outputFiles[0].contents);
  await writeFile(`${folder}/${name}.d.ts`, declarations(Object.keys(exports)));
}

/** Ajv copies all errors so far for each value that has some, which takes minutes where many have. */
function linear(code) {
  const joined = code.replaceAll(/vErrors\.concat\((validate\d+\.errors)\)/g, 'joined(vErrors, $1)');
  if (joined === code && code.includes('.concat(')) throw new Error('ajv joins errors in another way now');
  return `${joined}\nfunction joined(all, more) { for (const each of more) all.push(each); return all; }\n`;
}

function declarations(names) {
  return `import type { ErrorObject } from 'ajv';

interface Validator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}
${names.map((name) => `export declare const ${name}: Validator;`).join('\n')}
`;
}
