import { existsSync } from 'node:fs';
import type { WireSpaceLink } from '../../contract/wire.ts';
import type { Environment } from '../../environment/model.ts';
import { explainGuard } from '../../render/messages/explain-plan.ts';
import type { Finding } from '../../render/model.ts';
import { entriesOf } from '../../state/entries.ts';
import { pluralize } from '../../text/pluralize.ts';
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
  if (userId === undefined) return noUser(environment, context.flags);
  if (!variables) return both('it needs the credentials');
  if (service.kind === 'embedded') {
    // A run may be about to open the database, which is one process's at a time: it must not find us there.
    if (isRunning) return both('a run has the embedded service now');
    // The service is never begun just to be asked.
    if (!existsSync(databaseOf(environment))) return withoutDatabase(environment, recorded?.state);
  }
  const asking = { ...context, io: { ...context.io, env: variables } };
  try {
    const links = await withService(environment, { parallel: 1, attempts: ATTEMPTS }, asking, (started) =>
      readSpaces(started, environment, userId),
    );
    const answers = service.kind === 'embedded' ? 'answers' : 'answers, and takes the credentials';
    return [ok('service', answers), teamOf(environment, userId, links)];
  } catch (cause) {
    const isInUse =
      cause instanceof CommandFailure && cause.problems.some(({ rule }) => rule === 'database-in-use');
    if (!isInUse) throw cause;
    const message = 'another process has the database of the embedded service open';
    const remedy = `stop it (trove serve, or a run), then: trove doctor${context.flags}`;
    return unheard(warning('service', message, remedy));
  }
}

function noUser(environment: Environment, flags: string): readonly Finding[] {
  return [
    skipped(
      'service',
      'without the id of a user, nothing can be asked without a write',
      `add \`userId: ID\` to ${fileOf(environment)}: the spaces of that user are then read`,
      `or for once: trove spaces USER_ID${flags}`,
    ),
    skipped('team', 'the spaces of a user would tell it'),
  ];
}

function withoutDatabase(
  { name, state }: Environment,
  recorded: Parameters<typeof entriesOf>[0],
): readonly Finding[] {
  const entries = entriesOf(recorded);
  if (entries.all('live').length + entries.all('retired').length === 0)
    return both('the embedded service has no database yet; the first apply makes it');
  const { reason, remedies } = explainGuard({ code: 'database-gone', statePath: state.path }, name, '');
  return unheard(failed('service', reason, ...remedies));
}

function teamOf(environment: Environment, userId: string, links: readonly WireSpaceLink[]): Finding {
  if (links.length === 0)
    return skipped('team', `user ${userId} has no spaces, so the service does not say which team it is`);
  const foreign = otherTeam(environment, links);
  if (foreign) return failed('team', foreign, 'check `teamId`, `userId` and the credentials');
  return ok('team', `${environment.teamId}: its user ${userId} has ${pluralize(links.length, 'space')}`);
}

function unheard(service: Finding): readonly Finding[] {
  return [service, skipped('team', 'the service could not be asked')];
}

function both(message: string): readonly Finding[] {
  return [skipped('service', message), skipped('team', message)];
}
