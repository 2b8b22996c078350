import type { Catalog } from '../catalog/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { misspeltAttributes, unboundAttribute, unboundAttributes } from './bind-attributes.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { fillIn } from './fill-in.ts';
import type { Environment } from './model.ts';
import { sharedTeams } from './shared-team.ts';
import { tailor } from './tailor.ts';

/**
 * Everything that keeps a catalog and its environments from fitting, whatever the values of variables are. What
 * several environments have in common is told once.
 */
export function checkTogether(catalog: Catalog, environments: readonly Environment[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [...sharedTeams(environments)];
  const lacking = new Map<string, string[]>();
  for (const environment of environments) {
    const tailored = tailor(catalog, environment);
    const filled = fillIn(tailored.catalog);
    found.push(...tailored.problems, ...misspeltAttributes(catalog, environment));
    if (!filled.ok) found.push(...concealSecrets(filled.diagnostics, environment.document?.source));
    for (const key of unboundAttributes(tailored.catalog, environment))
      lacking.set(key, [...(lacking.get(key) ?? []), environment.name]);
  }
  const unbound = [...lacking].map(([key, names]) => unboundAttribute(key, catalog, names));
  return [...new Map([...unbound, ...found].map((each) => [identity(each), each])).values()];
}

function identity({ rule, message, location, subject }: Diagnostic): string {
  return JSON.stringify([rule, message, location?.source.path ?? subject, location?.start]);
}
