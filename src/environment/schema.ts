import { validate } from '../../generated/environment.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { keyOrder } from '../text/format/key-order.ts';
import { problemsIn } from '../text/problem-list.ts';
import { pathOf } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type { ProbedPoint } from './model.ts';
import type { Overrides } from './overrides.ts';

/** The order of keys in an environment file. */
export const environmentKeyOrder = keyOrder(schema);

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
  /** Properties of the file that are left out, in whole or in part. */
  readonly wrong: ReadonlySet<string>;
  readonly problems: readonly Diagnostic[];
}

/**
 * What in an environment file does not fit `schemas/environment.schema.json`, and the part of its content that does:
 * wrong properties are left out, of `overrides` the wrong ones alone. `already` are the problems found in reading it,
 * which are not repeated.
 */
export function environmentFileProblems(
  document: YamlDocument,
  already: readonly Diagnostic[] = [],
): CheckedFile {
  if (validate(document.value))
    return { file: document.value as EnvironmentFile, wrong: new Set(), problems: [] };
  const errors = validate.errors ?? [];
  const found = schemaProblems(document, schema, errors, already);
  const problems = [...problemsIn(found, ({ describe }) => describe)];
  if (!errors.some(isWrongRoot) && errors.some(({ keyword }) => keyword === 'oneOf'))
    problems.push(oneService(document));
  const paths = errors.map(({ instancePath }) => pathOf(instancePath, document.value).map(String));
  return {
    file: without(document.value, paths),
    wrong: new Set(paths.flatMap(([name]) => name ?? [])),
    problems,
  };
}

function isWrongRoot({ instancePath, keyword }: { instancePath: string; keyword: string }): boolean {
  return instancePath === '' && keyword === 'type';
}

/** The values that are not wrong, so that the rules beyond the schema can still be asked about them. */
function without(value: unknown, wrong: readonly (readonly string[])[]): EnvironmentFile {
  const below = (name: string) => wrong.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
  const overrides = below('overrides');
  const file = part(value, new Set(wrong.flatMap(([name]) => name ?? [])));
  if (overrides.length === 0 || overrides.some((path) => path.length < 2)) return file;
  const sections = Object.entries((value as EnvironmentFile).overrides ?? {}).map(([section, patches]) => {
    const keys = overrides.flatMap(([name, key]) => (name === section && key !== undefined ? [key] : []));
    return [section, part(patches, new Set(keys))];
  });
  return { ...file, overrides: Object.fromEntries(sections) };
}

function part(value: unknown, wrong: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(Object.entries(isMapping ? value : {}).filter(([key]) => !wrong.has(key)));
}

function oneService(document: YamlDocument): Diagnostic {
  const { value } = document;
  const both = typeof value === 'object' && value !== null && Object.hasOwn(value, 'baseUrl');
  const location = document.locate(both ? ['service'] : [], 'key');
  const hint = 'write `baseUrl: https://game.example/api`, or `service: embedded`';
  const message = both
    ? 'an environment has `baseUrl` or `service`, not both'
    : 'the environment names no service';
  return error('one-service', message, { location, hint });
}
