import { validate } from '../../generated/environment.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { isMapping, pathOf, type SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type { EnvironmentFile } from './model.ts';

export const environmentSchema: SchemaNode = schema;

type Path = readonly string[];

/** The part of an environment file that fits its schema, and what is wrong with the rest. */
export interface CheckedFile {
  readonly file: EnvironmentFile;
  /** Paths of what is left out, or is there under another name. */
  readonly wrong: readonly Path[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Checks an environment file against `schemas/environment.schema.json`. Leaves wrong properties out, and of an
 * override only its wrong fields. Does not repeat the problems that were found in reading it, `already`.
 */
export function checkSchema(document: YamlDocument, already: readonly Diagnostic[]): CheckedFile {
  if (validate(document.value)) return { file: document.value as EnvironmentFile, wrong: [], problems: [] };
  const errors = validate.errors ?? [];
  const problems = [...schemaProblems(document, schema, errors, already)];
  if (isMapping(document.value) && errors.some(({ keyword }) => keyword === 'oneOf'))
    problems.push(oneService(document));
  const wrong = errors.map(({ instancePath }) => leftOut(pathOf(instancePath, document.value).map(String)));
  const misspelt = errors.flatMap(({ instancePath, params }) => {
    const meant =
      instancePath === '' && nearest(String(params.additionalProperty), Object.keys(schema.properties));
    return meant ? [[meant]] : [];
  });
  const paths = new Set(wrong.map((path) => path.join('/')));
  const file = isMapping(document.value) ? soundPart(document.value, [], paths) : {};
  return { file, wrong: [...wrong, ...misspelt], problems };
}

/** The part of the file that something wrong makes useless. Of the other overrides and attributes the rules still hold. */
function leftOut(path: Path): Path {
  if (path[0] === 'attributes') return path.slice(0, 2);
  return path[0] === 'overrides' && path.length > 2 ? path.slice(0, 4) : path.slice(0, 1);
}

function soundPart(value: object, path: Path, wrong: ReadonlySet<string>): object {
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const below = [...path, key];
    if (!wrong.has(below.join('/')))
      return [[key, isMapping(each) ? soundPart(each, below, wrong) : each] as const];
    // The names of overridden resources, and of attributes, can still be checked.
    const isNamed = below.length === (path[0] === 'overrides' ? 3 : 2);
    return isNamed ? [[key, {}] as const] : [];
  });
  return Object.fromEntries(entries);
}

function oneService(document: YamlDocument): Diagnostic {
  const { value } = document;
  const isBoth = isMapping(value) && Object.hasOwn(value, 'baseUrl');
  const location = document.locate(isBoth ? ['service'] : [], 'key');
  return error('one-service', { isBoth }, { location });
}
