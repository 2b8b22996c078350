import type { ExaminedCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { limited, problemsIn } from '../text/problem-list.ts';
import { applyOverrides, nothingUnknown, type Unknowns } from './apply-overrides.ts';
import { attributeId, misspeltAttributes, unboundAttribute, unboundAttributes } from './attributes.ts';
import { concealSecrets, type Variables } from './credentials.ts';
import { interpolate } from './interpolate.ts';
import type { ExaminedEnvironment } from './load.ts';
import type { Environment } from './model.ts';

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
  { catalog, problems, isComplete }: ExaminedCatalog,
  examined: readonly ExaminedEnvironment[],
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const valid: Environment[] = [];
  const lacking = new Map<string, string[]>();
  for (const { environment, wrong, problems: own } of examined) {
    if (!environment) continue;
    if (own.length === 0) valid.push(environment);
    const unknowns = { isUnsound: problems.length > 0, isIncomplete: !isComplete, wrong };
    const joined = join(catalog, environment, unknowns);
    found.push(...concealSecrets(joined.problems, environment.document?.source, own.length === 0));
    for (const key of joined.unbound) lacking.set(key, [...(lacking.get(key) ?? []), environment.name]);
  }
  const unbound = problemsIn(lacking, ([key, names]) => unboundAttribute(key, catalog, names));
  const all = [...unbound, ...sharedTeams(valid), ...found];
  return [...new Map(all.map((each) => [identity(each), each])).values()];
}

/** The catalog with all that an environment changes, and what is wrong then. Without `variables` none is missing. */
function join(whole: Catalog, environment: Environment, unknowns: Unknowns, variables?: Variables) {
  const { isIncomplete, wrong } = unknowns;
  const overridden = applyOverrides(whole, environment, unknowns);
  const filled = interpolate(overridden.catalog, variables);
  const areIdsKnown = !wrong.some(([name, key]) => name === 'attributes' && key === undefined);
  const isSelectionKnown = !wrong.some(([name]) => name === 'only');
  return {
    catalog: filled.ok ? filled.value : overridden.catalog,
    problems: [
      ...overridden.problems,
      ...(areIdsKnown && !isIncomplete ? misspeltAttributes(whole, environment) : []),
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
