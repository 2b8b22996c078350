import { validate } from '../../generated/environment.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { problemsIn } from '../text/problem-list.ts';
import { pathOf, type SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type { ProbedPoint } from './model.ts';
import type { Overrides } from './overrides.ts';

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

/** What of an environment file fits its schema, and what is wrong with the rest. */
export interface CheckedFile {
  readonly file: EnvironmentFile;
  /** Paths of what is left out, or is left out with something around it, or is there under another name. */
  readonly wrong: readonly Path[];
  readonly problems: readonly Diagnostic[];
}

/**
 * What in an environment file does not fit `schemas/environment.schema.json`, and the part of its content that does:
 * wrong properties are left out, of an override its wrong fields alone. `already` are the problems found in reading it,
 * which are not repeated.
 */
export function environmentFileProblems(
  document: YamlDocument,
  already: readonly Diagnostic[] = [],
): CheckedFile {
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

/** What is to be left out of a mapping: a key, all that is in the value of a key, or some of that. */
type Cuts = Map<string, Cuts | 'key' | 'content'>;

/** The values that are not wrong, so that the rules beyond the schema can still be asked about them. */
function without(value: unknown, wrong: readonly Path[]): EnvironmentFile {
  const cuts: Cuts = new Map();
  for (const path of wrong) {
    // The names of what is overridden, and of attributes, can be looked at all the same.
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

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneService(document: YamlDocument): Diagnostic {
  const { value } = document;
  const both = typeof value === 'object' && value !== null && Object.hasOwn(value, 'baseUrl');
  const location = document.locate(both ? ['service'] : [], 'key');
  const hint = 'write a `baseUrl` such as https://game.example/api, or `service: embedded`';
  const message = both
    ? 'an environment has `baseUrl` or `service`, not both'
    : 'the environment names no service';
  return error('one-service', message, { location, hint });
}
