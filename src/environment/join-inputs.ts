import type { Catalog } from '../catalog/model.ts';
import { templatesOf } from '../catalog/template.ts';
import { failure, type Result, success } from '../text/diagnostic.ts';
import { bindAttributes } from './bind-attributes.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { credentialVariables } from './credential-variables.ts';
import { fillIn } from './fill-in.ts';
import type { LoadEnvironmentOptions } from './load.ts';
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

export interface JoinOptions extends LoadEnvironmentOptions {
  /** The environment variables of the process. */
  readonly variables: Variables;
}

/**
 * A catalog and an environment as they fit each other: overrides and `only` applied, variables filled in, attributes
 * with their ids. Or everything that keeps them from fitting.
 */
export async function joinInputs(
  catalog: Catalog,
  environment: Environment,
  options: JoinOptions,
): Promise<Result<Inputs>> {
  const tailored = tailor(catalog, environment);
  const bound = bindAttributes(tailored.catalog, environment);
  const filled = await filledIn(tailored.catalog, environment, options);
  const problems = [
    ...tailored.problems,
    ...(bound.ok ? [] : bound.diagnostics),
    ...(filled.ok ? [] : filled.diagnostics),
  ];
  if (problems.length > 0 || !bound.ok || !filled.ok) return failure(...problems);
  return success({ catalog: filled.value, environment: bound.value });
}

async function filledIn(
  catalog: Catalog,
  { document }: Environment,
  options: JoinOptions,
): Promise<Result<Catalog>> {
  if (!hasTemplates(catalog)) return success(catalog);
  const credentials = await credentialVariables(options);
  if (!credentials.ok) return credentials;
  const filled = fillIn(catalog, { values: options.variables, credentials: credentials.value });
  return filled.ok ? filled : failure(...concealSecrets(filled.diagnostics, document?.source));
}

function hasTemplates({ items }: Catalog): boolean {
  for (const item of items.values()) if (templatesOf(item).length > 0) return true;
  return false;
}
