import { type Diagnostic, error } from '../text/diagnostic.ts';
import { quoted } from '../text/quoted.ts';
import { concealSecrets } from './conceal-secrets.ts';
import type { Environment } from './model.ts';

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
