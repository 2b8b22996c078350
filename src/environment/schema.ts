import { validate } from '../../generated/environment.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { keyOrder } from '../text/format/key-order.ts';
import { problemsIn } from '../text/problem-list.ts';
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

/**
 * What in an environment file does not fit `schemas/environment.schema.json`, and the part of
 * its content that does. `already` are the problems found in reading it, which are not repeated.
 */
export function environmentFileProblems(
  document: YamlDocument,
  already: readonly Diagnostic[] = [],
): { readonly file: EnvironmentFile; readonly problems: readonly Diagnostic[] } {
  if (validate(document.value)) return { file: without(document.value, new Set()), problems: [] };
  const errors = validate.errors ?? [];
  const found = schemaProblems(document, schema, errors, already);
  const problems = [...problemsIn(found, ({ describe }) => describe)];
  if (!errors.some(isWrongRoot) && errors.some(({ keyword }) => keyword === 'oneOf'))
    problems.push(oneService(document));
  return {
    file: without(document.value, new Set(errors.map(({ instancePath }) => instancePath.split('/')[1]))),
    problems,
  };
}

function isWrongRoot({ instancePath, keyword }: { instancePath: string; keyword: string }): boolean {
  return instancePath === '' && keyword === 'type';
}

/** The values that are not wrong, so that the rules beyond the schema can still be asked about them. */
function without(value: unknown, wrong: ReadonlySet<string | undefined>): EnvironmentFile {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([key]) => !wrong.has(key)));
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
