import { environmentNames } from '../../environment/find.ts';
import { loadEnvironment } from '../../environment/load.ts';
import type { Environment } from '../../environment/model.ts';
import { targetOf } from '../../plan/make-plan.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';

/**
 * The complaints about a new environment that is the team of another one already, or has its state: both would create
 * everything again. One that is not valid may be that team, so it is complained about too. `folder` is that of the
 * catalog, absolute.
 */
export async function takenBy(
  environment: Environment,
  folder: string,
  { catalogFolder, io, flags }: CommandContext,
): Promise<readonly Diagnostic[]> {
  const { baseUrl, teamId } = targetOf(environment);
  for (const name of await environmentNames(folder)) {
    const other = await loadEnvironment(name, { catalogFolder, cwd: io.cwd });
    if (!other.ok) return other.diagnostics;
    const target = targetOf(other.value);
    if (other.value.state.path === environment.state.path) return [sameState(name, environment)];
    const isTheSame = target.baseUrl === baseUrl && target.teamId === teamId;
    if (isTheSame && environment.service.kind === 'remote') return [sameTeam(name, flags)];
  }
  return [];
}

function sameTeam(name: string, flags: string): Diagnostic {
  const message = `environment ${name} is this team on this service already, and a second one would create everything again`;
  return error('same-team', message, { hint: `trove plan${flags} -e ${name}, or give another --team-id` });
}

function sameState(name: string, { state }: Environment): Diagnostic {
  const hint = `take another name, or give environment ${name} another \`state.path\``;
  return error('same-state', `environment ${name} keeps its state there already`, {
    subject: state.path,
    hint,
  });
}
