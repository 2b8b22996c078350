import type { Catalog } from '../catalog/model.ts';
import { brokenRules } from '../catalog/rules/broken-rules.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import type { SourceText } from '../text/source.ts';
import { concealSecrets } from './conceal-secrets.ts';
import type { Environment } from './model.ts';
import { patch } from './patch.ts';
import { leftOutClassifiers, type Tailored, take } from './take.ts';

/**
 * The catalog as an environment declares it: the part that it takes, with its overrides. With problems it is the
 * catalog as far as it is sound, so that more of them can be found. Where overrides are missing, `isWhole` is false,
 * and nothing is said that they could put right. What is not patched is shared, not copied.
 */
export function tailor(catalog: Catalog, environment: Environment, isWhole = true): Tailored {
  if (environment.overrides === undefined && environment.only === undefined) return { catalog, problems: [] };
  const taken = take(catalog, environment);
  const patched = patch(taken.catalog, catalog, environment);
  const problems = [
    ...taken.problems,
    ...patched.problems,
    ...(isWhole ? leftOutClassifiers(patched.catalog, catalog, environment) : []),
    ...(isWhole ? brokenRules(patched.catalog, catalog) : []),
  ];
  const source = environment.document?.source;
  const placed = problems.map((problem) => atOverride(problem, source));
  return { catalog: patched.catalog, problems: sortDiagnostics(concealSecrets(placed, source)) };
}

/** The catalog by itself breaks no rule: where one end of a problem is an override, that is the culprit. */
function atOverride(problem: Diagnostic, source: SourceText | undefined): Diagnostic {
  const { location, related = [] } = problem;
  const culprit = related.find((other) => other.location.source === source);
  if (location === undefined || location.source === source || culprit === undefined) return problem;
  return { ...problem, location: culprit.location, related: [{ message: 'in the catalog', location }] };
}
