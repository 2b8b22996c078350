import type { ExaminedCatalog } from '../catalog/load.ts';
import { type Catalog, type Declared, type ItemDeclaration, isKey } from '../catalog/model.ts';
import { PLACEHOLDER, templatesOf } from '../catalog/template.ts';
import { MAX_TEXT } from '../contract/api.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { limited, MOST_LISTED, problemsIn, sortDiagnostics } from '../text/problem-list.ts';
import { type Location, partOf } from '../text/source.ts';
import { applyOverrides, isWhollyWrong, nothingUnknown, type Unknowns } from './apply-overrides.ts';
import { concealSecrets, type Variables } from './credentials.ts';
import type { ExaminedEnvironment } from './load.ts';
import { type Environment, locationIn } from './model.ts';

/** What a plan is made from. */
export interface Inputs {
  /** As the environment declares it, with the values of variables in it. */
  readonly catalog: Catalog;
  /** Every attribute that the catalog uses has an id in it. */
  readonly environment: Environment;
}

export interface JoinOptions {
  /** The environment variables of the process. */
  readonly variables: Variables;
}

/**
 * A valid catalog and environment joined: overrides and `only` applied, variables interpolated, attributes bound to
 * their ids. Or every problem that the two have together.
 */
export function joinInputs(
  catalog: Catalog,
  environment: Environment,
  { variables }: JoinOptions,
): Result<Inputs> {
  const joined = join(catalog, environment, nothingUnknown, variables);
  const unbound = problemsIn(joined.unbound, (key) => unboundAttribute(key, catalog, [environment.name]));
  const problems = limited([...joined.problems, ...unbound]);
  if (problems.length > 0) return failure(...concealSecrets(problems, environment.document?.source, true));
  const ids = [...catalog.attributes.keys()].flatMap((key) => {
    const id = attributeId(environment, key);
    return id === undefined ? [] : [[key, id] as const];
  });
  return success({ catalog: joined.catalog, environment: { ...environment, attributes: new Map(ids) } });
}

/**
 * The problems that a catalog has together with its environments, whatever the values of variables are. What several
 * environments have in common is reported once. If files have problems of their own, only what is certain without them.
 */
export function checkTogether(
  { catalog, problems, open }: ExaminedCatalog,
  examined: readonly ExaminedEnvironment[],
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const known: Environment[] = [];
  const lacking = new Map<string, string[]>();
  for (const { environment, wrong, problems: own } of examined) {
    if (!environment) continue;
    const isTeamKnown = ['baseUrl', 'service', 'teamId'].every((name) => !isWhollyWrong(wrong, name));
    if (isTeamKnown) known.push(environment);
    const unknowns = { isUnsound: problems.length > 0, open, wrong };
    const joined = join(catalog, environment, unknowns);
    found.push(...concealSecrets(joined.problems, environment.document?.source, own.length === 0));
    for (const key of joined.unbound) lacking.set(key, [...(lacking.get(key) ?? []), environment.name]);
  }
  const unbound = problemsIn(lacking, ([key, names]) => unboundAttribute(key, catalog, names));
  const all = [...unbound, ...sharedTeams(known), ...found];
  return [...new Map(all.map((each) => [identity(each), each])).values()];
}

/** The catalog with all that an environment changes, and what is wrong then. Without `variables` none is missing. */
function join(whole: Catalog, environment: Environment, unknowns: Unknowns, variables?: Variables) {
  const { open, wrong } = unknowns;
  const overridden = applyOverrides(whole, environment, unknowns);
  const filled = interpolate(overridden.catalog, variables);
  const areNamesKnown = !isWhollyWrong(wrong, 'attributes');
  const areIdsKnown = areNamesKnown && !isWhollyWrong(wrong, 'service');
  const isSelectionKnown = !isWhollyWrong(wrong, 'only');
  return {
    catalog: filled.ok ? filled.value : overridden.catalog,
    problems: [
      ...overridden.problems,
      ...(areNamesKnown && !open.has('attributes') ? misspeltAttributes(whole, environment) : []),
      ...(filled.ok || !isSelectionKnown ? [] : filled.diagnostics),
    ],
    /** Attributes that need an id. */
    unbound: areIdsKnown && isSelectionKnown ? unboundAttributes(overridden.catalog, environment) : [],
  };
}

/** Known names are left out: they may be many, and each environment may have others. */
function identity({ rule, values = {}, location, subject }: Diagnostic): string {
  const told = { ...values, known: undefined };
  return JSON.stringify([rule, told, location?.source.path ?? subject, location?.start]);
}

/** One file is one team: a second one would have a state of its own, and create every record once more. */
export function sharedTeams(environments: readonly Environment[]): readonly Diagnostic[] {
  const firsts = new Map<string, Environment>();
  return environments.flatMap((environment) => {
    const { service, teamId, document, name } = environment;
    if (service.kind !== 'remote') return [];
    const team = JSON.stringify([service.baseUrl, teamId]);
    const first = firsts.get(team);
    if (!first) firsts.set(team, environment);
    if (!first) return [];
    const other = first.document?.locate(['teamId']);
    const problem = error(
      'shared-team',
      { environment: name, first: first.name },
      {
        ...(document && { location: document.locate(['teamId']) }),
        ...(other && { related: [{ role: 'other-file', location: other }] }),
      },
    );
    return concealSecrets(concealSecrets([problem], document?.source, true), first.document?.source, true);
  });
}

/**
 * The service's id of a catalog attribute. The embedded service takes any ID, since no attributes are listed there: an
 * attribute that the file does not name has its key for an id. Undefined: the environment names none.
 */
export function attributeId(environment: Environment, key: string): string | undefined {
  const named = environment.attributes.get(key);
  return named ?? (environment.service.kind === 'embedded' ? key : undefined);
}

/** Names that no catalog file declares, each close to an attribute that is declared and has no id. */
function misspeltAttributes(catalog: Catalog, environment: Environment): readonly Diagnostic[] {
  // What is no key is reported as that.
  const found = misspeltNames(catalog, environment).filter(({ key }) => isKey(key));
  return found.map(({ key, meant }) =>
    error(
      'unknown-reference',
      { kind: 'attribute', name: key, known: [meant], isOutside: true },
      locationIn(environment, ['attributes', key], 'key'),
    ),
  );
}

function misspeltNames(catalog: Catalog, { attributes }: Environment) {
  const unnamed = [...catalog.attributes.keys()].filter((key) => !attributes.has(key));
  const undeclared = [...attributes.keys()].filter((key) => !catalog.attributes.has(key));
  // Each is compared with all that have no id, so the time for them must not grow with both.
  return undeclared.slice(0, MOST_LISTED).flatMap((key) => {
    const meant = nearest(key, unnamed);
    return meant === undefined ? [] : [{ key, meant }];
  });
}

/** The attributes that items use and that have no id, except those whose names are only misspelt. */
export function unboundAttributes(catalog: Catalog, environment: Environment): readonly string[] {
  // An id that is wrong is there.
  const missing = [...catalog.attributes.keys()].filter(
    (key) => attributeId(environment, key) === undefined && !environment.attributes.has(key),
  );
  if (missing.length === 0) return [];
  const used = usedAttributes(catalog);
  const misspelt = new Set(misspeltNames(catalog, environment).map(({ meant }) => meant));
  return missing.filter((key) => used.has(key) && !misspelt.has(key));
}

/** The keys of all attributes that items have, each once. */
export function usedAttributes(catalog: Catalog): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { declaration } of catalog.items.values()) {
    for (const key of Object.keys(declaration.attributes ?? {})) used.add(key);
  }
  return used;
}

/** The problem with an attribute, at its declaration, that has no id in the environments of these names. */
function unboundAttribute(key: string, catalog: Catalog, names: readonly string[]): Diagnostic {
  const declared = catalog.attributes.get(key);
  const place = declared && { location: declared.document.locate(declared.path, 'key') };
  return error('unbound-attribute', { attribute: key, environments: names }, place);
}

/**
 * The catalog with the values of variables in place of `${NAME}`, or every problem with them: each variable once, at
 * its first place. Without `values` only `$${` is replaced, and no variable is missing.
 */
function interpolate(catalog: Catalog, values?: Variables): Result<Catalog> {
  const items = new Map<string, Declared<ItemDeclaration>>();
  const uses = new Map<string, { readonly first: Location; count: number }>();
  const problems: Diagnostic[] = [];
  for (const [key, item] of catalog.items) {
    for (const { field, text } of templatesOf(item)) {
      const location = item.document.locate([...item.path, field]);
      for (const [written, name] of text.matchAll(PLACEHOLDER)) {
        if (name === undefined) continue;
        const use = uses.get(name) ?? { first: partOf(location, written), count: 0 };
        use.count++;
        uses.set(name, use);
      }
      const filled = filledIn(text, values);
      if (filled === undefined) continue;
      problems.push(...tooLong(filled, field, location));
      const { declaration } = items.get(key) ?? item;
      items.set(key, { ...item, declaration: { ...declaration, [field]: filled } });
    }
  }
  for (const [name, { first, count }] of uses) {
    const problem = values && variableProblem(name, count, values);
    if (problem) problems.push({ ...problem, location: first });
  }
  if (problems.length > 0) return failure(...sortDiagnostics(problems));
  return success(items.size === 0 ? catalog : { ...catalog, items: new Map([...catalog.items, ...items]) });
}

/** Undefined if a value is missing, or if the text is malformed, which a rule forbids. */
function filledIn(text: string, values: Variables | undefined): string | undefined {
  let isWhole = true;
  const filled = text.replace(PLACEHOLDER, (written: string, name: string | undefined) => {
    const value = written === '$${' ? '${' : name && values?.[name];
    if (!value) isWhole = false;
    return value || '';
  });
  return isWhole ? filled : undefined;
}

function tooLong(text: string, field: string, location: Location): Diagnostic[] {
  const length = [...text].length;
  if (length <= MAX_TEXT) return [];
  return [error('text-length', { of: field, length, most: MAX_TEXT, isFilledIn: true }, { location })];
}

/** Why the value of a variable can't become part of a catalog text; it is never shown. `count`: how often it is used. */
function variableProblem(variable: string, count: number, values: Variables): Diagnostic | undefined {
  const value = values[variable];
  if (!value) return error('unset-variable', { variable, isEmpty: value === '', count });
  const isOneLine = !/\p{Cc}/u.test(value);
  if (isOneLine && !value.includes('${')) return undefined;
  return error('unusable-variable', {
    variable,
    holds: isOneLine ? 'placeholder' : 'control-character',
    count,
  });
}
