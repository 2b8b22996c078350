import { validate } from '../../generated/environment.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { problemsIn } from '../text/problem-list.ts';
import { isMapping, pathOf, type SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type { Overrides, ProbedPoint } from './model.ts';

export const environmentSchema: SchemaNode = schema;

type Path = readonly string[];

/** An environment file's content, already known to fit `environment.schema.json`. */
export interface EnvironmentFile {
  readonly baseUrl?: string;
  readonly service?: 'embedded';
  readonly teamId?: string;
  readonly userId?: string;
  readonly idNamespace?: string;
  readonly credentials?: { readonly usernameFrom?: string; readonly passwordFrom?: string };
  readonly attributes?: Readonly<Record<string, string>>;
  readonly profile?: Partial<Profile>;
  readonly probed?: Readonly<Partial<Record<ProfilePoint, ProbedPoint>>>;
  readonly state?: { readonly backend?: 'file'; readonly path?: string };
  readonly limits?: { readonly maxCreates?: number; readonly maxUpdates?: number };
  readonly allowInsecureHttp?: boolean;
  readonly overrides?: Overrides;
  readonly only?: readonly string[];
}

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
  const found = schemaProblems(document, schema, errors, already);
  const problems = [...problemsIn(found, ({ describe }) => describe)];
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

/** What to leave out of a mapping: a key, the whole content of its value, or parts of that. */
type Cuts = Map<string, Cuts | 'key' | 'content'>;

/** The values that are not wrong, so that the rules beyond the schema can still check them. */
function without(value: unknown, wrong: readonly Path[]): EnvironmentFile {
  const cuts: Cuts = new Map();
  for (const path of wrong) {
    // The names of overridden resources, and of attributes, can still be checked.
    if (path[0] === 'overrides' && path.length > 2) cut(cuts, path.slice(0, 4), path[3] ? 'key' : 'content');
    else if (path[0] === 'attributes' && path.length > 1) cut(cuts, path, 'content');
    else cut(cuts, path.slice(0, 1), 'key');
  }
  return isMapping(value) ? (part(value, cuts) as EnvironmentFile) : {};
}

function cut(cuts: Cuts, [step, ...rest]: Path, what: 'key' | 'content'): void {
  if (step === undefined) return;
  const known = cuts.get(step);
  if (typeof known === 'string') return;
  if (rest.length === 0) cuts.set(step, what);
  else {
    const inner: Cuts = known ?? new Map();
    cuts.set(step, inner);
    cut(inner, rest, what);
  }
}

function part(value: Readonly<Record<string, unknown>>, cuts: Cuts): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const below = cuts.get(key);
    if (below === 'key') return [];
    if (below === 'content') return [[key, {}] as const];
    return [[key, below && isMapping(each) ? part(each, below) : each] as const];
  });
  return Object.fromEntries(entries);
}

function oneService(document: YamlDocument): Diagnostic {
  const { value } = document;
  const both = isMapping(value) && Object.hasOwn(value, 'baseUrl');
  const location = document.locate(both ? ['service'] : [], 'key');
  const hint = 'write a `baseUrl` such as https://game.example/api, or `service: embedded`';
  const message = both
    ? 'an environment has `baseUrl` or `service`, not both'
    : 'the environment names no service';
  return error('one-service', message, { location, hint });
}
