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
  /** Paths of what is left out, or is left out with something around it, or is there under another name. */
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
  if (!errors.some(isWrongRoot) && errors.some(({ keyword }) => keyword === 'oneOf'))
    problems.push(oneService(document));
  const paths = errors.map(({ instancePath }) => pathOf(instancePath, document.value).map(String));
  const misspelt = errors.flatMap(({ instancePath, params }) => {
    const meant =
      instancePath === '' && nearest(String(params.additionalProperty), Object.keys(schema.properties));
    return meant ? [[meant]] : [];
  });
  return { file: without(document.value, paths), wrong: [...paths, ...misspelt], problems };
}

function isWrongRoot({ instancePath, keyword }: { instancePath: string; keyword: string }): boolean {
  return instancePath === '' && keyword === 'type';
}

/** The values that are not wrong, so that the rules beyond the schema can still check them. */
function without(value: unknown, wrong: readonly Path[]): EnvironmentFile {
  const cuts = new Map<string, 'key' | 'content'>();
  for (const path of wrong) {
    // The names of overridden resources, and of attributes, can still be checked.
    if (path[0] === 'overrides' && path.length > 2)
      cuts.set(JSON.stringify(path.slice(0, 4)), path.length > 3 ? 'key' : 'content');
    else if (path[0] === 'attributes' && path.length > 1) cuts.set(JSON.stringify(path), 'content');
    else cuts.set(JSON.stringify(path.slice(0, 1)), 'key');
  }
  return isMapping(value) ? (soundPart(value, [], cuts) as EnvironmentFile) : {};
}

function soundPart(value: object, path: Path, cuts: ReadonlyMap<string, 'key' | 'content'>): object {
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const below = [...path, key];
    const cut = cuts.get(JSON.stringify(below));
    if (cut === 'key') return [];
    if (cut === 'content') return [[key, {}] as const];
    return [[key, isMapping(each) ? soundPart(each, below, cuts) : each] as const];
  });
  return Object.fromEntries(entries);
}

function oneService(document: YamlDocument): Diagnostic {
  const { value } = document;
  const isBoth = isMapping(value) && Object.hasOwn(value, 'baseUrl');
  const location = document.locate(isBoth ? ['service'] : [], 'key');
  return error('one-service', { isBoth }, { location });
}
