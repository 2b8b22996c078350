import type { ExaminedCatalog } from '../catalog/load.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { misspeltAttributes, unboundAttribute, unboundAttributes } from './bind-attributes.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { fillIn } from './fill-in.ts';
import type { Examined } from './load.ts';
import { sharedTeams } from './shared-team.ts';
import { tailor } from './tailor.ts';

/**
 * Everything that keeps a catalog and its environments from fitting, whatever the values of variables are. What
 * several environments have in common is told once. Of files that are wrong by themselves, what can be told for sure.
 */
export function checkTogether(
  { catalog, problems, isComplete }: ExaminedCatalog,
  examined: readonly Examined[],
): readonly Diagnostic[] {
  const sound = examined.flatMap(({ problems, environment }) =>
    environment && problems.length === 0 ? [environment] : [],
  );
  const found: Diagnostic[] = [...sharedTeams(sound)];
  const lacking = new Map<string, string[]>();
  for (const { environment, wrong, problems: own } of examined) {
    if (!environment) continue;
    const say = (said: readonly Diagnostic[]) =>
      found.push(...concealSecrets(said, environment.document?.source, own.length === 0));
    const areAttributesWrong = wrong.some(([name, key]) => name === 'attributes' && key === undefined);
    const doubts = { isUnsound: problems.length > 0, isIncomplete: !isComplete, wrong };
    const tailored = tailor(catalog, environment, doubts);
    say(tailored.problems);
    if (!areAttributesWrong && isComplete) say(misspeltAttributes(catalog, environment));
    // Which items are taken is not known.
    if (wrong.some(([name]) => name === 'only')) continue;
    const filled = fillIn(tailored.catalog);
    if (!filled.ok) say(filled.diagnostics);
    if (areAttributesWrong) continue;
    for (const key of unboundAttributes(tailored.catalog, environment))
      lacking.set(key, [...(lacking.get(key) ?? []), environment.name]);
  }
  const unbound = [...lacking].map(([key, names]) => unboundAttribute(key, catalog, names));
  return [...new Map([...unbound, ...found].map((each) => [identity(each), each])).values()];
}

function identity({ rule, message, location, subject }: Diagnostic): string {
  return JSON.stringify([rule, message, location?.source.path ?? subject, location?.start]);
}
