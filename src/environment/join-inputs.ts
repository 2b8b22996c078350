import type { ExaminedCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { problemsIn } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { applyOverrides } from './apply-overrides.ts';
import { bindAttributes, misspeltAttributes, unboundAttribute, unboundAttributes } from './attributes.ts';
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
export function joinInputs(catalog: Catalog, environment: Environment, options: JoinOptions): Result<Inputs> {
  const overridden = applyOverrides(catalog, environment);
  const bound = bindAttributes(overridden.catalog, environment);
  const filled = interpolate(overridden.catalog, options.variables);
  const problems = [
    ...overridden.problems,
    ...(bound.ok ? [] : bound.diagnostics),
    ...(filled.ok ? [] : filled.diagnostics),
  ];
  if (problems.length > 0 || !bound.ok || !filled.ok)
    return failure(...concealSecrets(problems, environment.document?.source, true));
  return success({ catalog: filled.value, environment: bound.value });
}

/**
 * The problems that a catalog has together with its environments, whatever the values of variables are. What several
 * environments have in common is reported once. If files have problems of their own, only what is certain without them.
 */
export function checkTogether(
  { catalog, problems, isComplete }: ExaminedCatalog,
  examined: readonly ExaminedEnvironment[],
): readonly Diagnostic[] {
  const valid = examined.flatMap(({ problems, environment }) =>
    environment && problems.length === 0 ? [environment] : [],
  );
  const found: Diagnostic[] = [...sharedTeams(valid)];
  const lacking = new Map<string, string[]>();
  for (const { environment, wrong, problems: own } of examined) {
    if (!environment) continue;
    const report = (diagnostics: readonly Diagnostic[]) =>
      found.push(...concealSecrets(diagnostics, environment.document?.source, own.length === 0));
    const areAttributesWrong = wrong.some(([name, key]) => name === 'attributes' && key === undefined);
    const unknowns = { isUnsound: problems.length > 0, isIncomplete: !isComplete, wrong };
    const overridden = applyOverrides(catalog, environment, unknowns);
    report(overridden.problems);
    if (!areAttributesWrong && isComplete) report(misspeltAttributes(catalog, environment));
    // It is not known which items are selected.
    if (wrong.some(([name]) => name === 'only')) continue;
    const filled = interpolate(overridden.catalog);
    if (!filled.ok) report(filled.diagnostics);
    if (areAttributesWrong) continue;
    for (const key of unboundAttributes(overridden.catalog, environment))
      lacking.set(key, [...(lacking.get(key) ?? []), environment.name]);
  }
  const unbound = problemsIn(lacking, ([key, names]) => unboundAttribute(key, catalog, names));
  return [...new Map([...unbound, ...found].map((each) => [identity(each), each])).values()];
}

function identity({ rule, message, location, subject }: Diagnostic): string {
  return JSON.stringify([rule, message, location?.source.path ?? subject, location?.start]);
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
    const message = `${quoted(name)} is the team of ${quoted(first.name)}: with two states its records would be made twice`;
    const hint = 'one file is one team: remove one of them, or put its team right';
    const other = first.document?.locate(['teamId']);
    const problem = error('shared-team', message, {
      ...(document && { location: document.locate(['teamId']) }),
      ...(other && { related: [{ message: 'the other file names it here', location: other }] }),
      hint,
    });
    return concealSecrets(concealSecrets([problem], document?.source, true), first.document?.source, true);
  });
}
