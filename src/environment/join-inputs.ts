import type { Catalog } from '../catalog/model.ts';
import { failure, type Result, success } from '../text/diagnostic.ts';
import { bindAttributes } from './bind-attributes.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { fillIn } from './fill-in.ts';
import type { Environment } from './model.ts';
import { tailor } from './tailor.ts';
import type { Variables } from './variable-problem.ts';

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
 * A catalog and an environment as they fit each other: overrides and `only` applied, variables filled in, attributes
 * with their ids. Or everything that keeps them from fitting.
 */
export function joinInputs(catalog: Catalog, environment: Environment, options: JoinOptions): Result<Inputs> {
  const tailored = tailor(catalog, environment);
  const bound = bindAttributes(tailored.catalog, environment);
  const filled = fillIn(tailored.catalog, options.variables);
  const problems = [
    ...tailored.problems,
    ...(bound.ok ? [] : bound.diagnostics),
    ...(filled.ok ? [] : filled.diagnostics),
  ];
  if (problems.length > 0 || !bound.ok || !filled.ok)
    return failure(...concealSecrets(problems, environment.document?.source, true));
  return success({ catalog: filled.value, environment: bound.value });
}
