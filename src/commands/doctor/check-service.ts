import { existsSync } from 'node:fs';
import type { WireSpaceLink } from '../../contract/api.ts';
import type { Environment } from '../../environment/model.ts';
import type { Finding } from '../../render/model.ts';
import { entriesOf } from '../../state/entries.ts';
import { otherTeam, readSpaces, withService } from '../client.ts';
import { CommandFailure } from '../exit-code.ts';
import { databaseOf } from '../state.ts';
import { type Examination, failed, fileOf, ok, skipped, warning } from './finding.ts';

/** Fewer than a run makes: who asks the doctor is waiting. */
const ATTEMPTS = 2;

/**
 * Reads the spaces of the environment's user, the only thing that can be read (API section 4.5): whether the service
 * answers, takes the credentials and means the same team.
 */
export async function checkService(
  environment: Environment,
  { context, variables, isRunning, recorded }: Examination,
): Promise<readonly Finding[]> {
  const { userId, service } = environment;
  if (userId === undefined) return noUser(environment);
  if (!variables) return both('no-credentials');
  if (service.kind === 'embedded') {
    // A run may be about to open the database, which is one process's at a time: it must not find us there.
    if (isRunning) return both('run-has-service');
    // The service is never begun just to be asked.
    if (!existsSync(databaseOf(environment))) return withoutDatabase(environment, recorded?.state);
  }
  const asking = { ...context, io: { ...context.io, env: variables } };
  try {
    const links = await withService(environment, { parallel: 1, attempts: ATTEMPTS }, asking, (started) =>
      readSpaces(started, environment, userId),
    );
    const isEmbedded = service.kind === 'embedded';
    return [ok('service', 'answers', { isEmbedded }), teamOf(environment, userId, links)];
  } catch (cause) {
    const isInUse =
      cause instanceof CommandFailure && cause.problems.some(({ rule }) => rule === 'database-in-use');
    if (!isInUse) throw cause;
    return unheard(warning('service', 'database-in-use', {}));
  }
}

function noUser(environment: Environment): readonly Finding[] {
  const file = fileOf(environment);
  return [skipped('service', 'no-user', { file }), skipped('team', 'no-user-to-ask', {})];
}

function withoutDatabase(
  { state }: Environment,
  recorded: Parameters<typeof entriesOf>[0],
): readonly Finding[] {
  const entries = entriesOf(recorded);
  if (entries.all('live').length + entries.all('retired').length === 0) return both('no-database');
  return unheard(failed('service', 'database-gone', { statePath: state.path }));
}

function teamOf(environment: Environment, userId: string, links: readonly WireSpaceLink[]): Finding {
  const { teamId } = environment;
  if (links.length === 0) return skipped('team', 'no-spaces', { userId });
  const answered = otherTeam(environment, links);
  if (answered !== undefined) return failed('team', 'other-team', { userId, answered, expected: teamId });
  return ok('team', 'team', { teamId, userId, spaces: links.length });
}

function unheard(service: Finding): readonly Finding[] {
  return [service, skipped('team', 'not-asked', {})];
}

/** Of a code without values. */
function both(code: 'no-credentials' | 'run-has-service' | 'no-database'): readonly Finding[] {
  return [skipped('service', code, {}), skipped('team', code, {})];
}
