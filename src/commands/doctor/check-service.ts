import { existsSync } from 'node:fs';
import type { WireSpaceLink } from '../../contract/wire.ts';
import type { Environment } from '../../environment/model.ts';
import { explainGuard } from '../../render/messages/explain-plan.ts';
import type { Finding } from '../../render/model.ts';
import { renderServiceError } from '../../render/service-error.ts';
import { entriesOf } from '../../state/entries.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { pluralize } from '../../text/pluralize.ts';
import { connect, otherTeam } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { databaseOf } from '../state.ts';
import type { Standing } from './check-state.ts';
import { failed, failFrom, fileOf, ok, skipped, warning } from './finding.ts';

/** Fewer than a run makes: who asks the doctor is waiting. */
const ATTEMPTS = 2;

/**
 * Reads the spaces of the environment's user, the only thing that can be read (API section 4.5): whether the service
 * answers, takes the credentials and means the same team. `variables` is undefined if there are no credentials.
 */
export async function checkService(
  environment: Environment,
  variables: NodeJS.ProcessEnv | undefined,
  standing: Standing | undefined,
  context: CommandContext,
): Promise<readonly Finding[]> {
  const { userId, credentials } = environment;
  if (userId === undefined) return noUser(environment, context);
  if (!variables) return both('it needs the credentials');
  const withoutService = isWithoutService(environment, standing);
  if (withoutService) return withoutService;
  const asking = { ...context, io: { ...context.io, env: variables } };
  const service = await connect(environment, { parallel: 1, attempts: ATTEMPTS }, asking);
  if (!service.ok) return unheard(notStarted(service.diagnostics, context));
  try {
    const outcome = await service.value.listUserSpaces(userId);
    if (outcome.kind === 'answered') return [answers(environment), teamOf(environment, outcome.body)];
    const { message, hint } = renderServiceError(outcome.error, credentials);
    return unheard(failed('service', message, hint));
  } finally {
    await service.value.close();
  }
}

/** Why the embedded service is not started: it is never begun just to be asked. */
function isWithoutService(
  environment: Environment,
  standing: Standing | undefined,
): readonly Finding[] | undefined {
  if (environment.service.kind !== 'embedded') return undefined;
  // A run may be about to open the database, which is one process's at a time: it must not find us there.
  if (standing?.isRunning) return both('a run has the embedded service now');
  if (existsSync(databaseOf(environment))) return undefined;
  const entries = entriesOf(standing?.state);
  if (entries.all('live').length + entries.all('retired').length === 0)
    return both('the embedded service has no database yet; the first apply makes it');
  const { name, state } = environment;
  const { reason, remedies } = explainGuard({ code: 'database-gone', statePath: state.path }, name, '');
  return unheard(failed('service', reason, ...remedies));
}

function noUser(environment: Environment, { flags }: CommandContext): readonly Finding[] {
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

function notStarted(diagnostics: readonly Diagnostic[], { flags }: CommandContext): Finding {
  if (!diagnostics.some(({ rule }) => rule === 'database-in-use')) return failFrom('service', diagnostics);
  const message = 'another process has the database of the embedded service open';
  return warning('service', message, `stop it (trove serve, or a run), then: trove doctor${flags}`);
}

function answers({ service }: Environment): Finding {
  return ok('service', service.kind === 'embedded' ? 'answers' : 'answers, and takes the credentials');
}

function teamOf(environment: Environment, links: readonly WireSpaceLink[]): Finding {
  const { teamId, userId } = environment;
  if (links.length === 0)
    return skipped('team', `user ${userId} has no spaces, so the service does not say which team it is`);
  const foreign = otherTeam(environment, links);
  if (foreign) return failed('team', foreign, 'check `teamId`, `userId` and the credentials');
  return ok('team', `${teamId}: its user ${userId} has ${pluralize(links.length, 'space')}`);
}

function unheard(service: Finding): readonly Finding[] {
  return [service, skipped('team', 'the service could not be asked')];
}

function both(message: string): readonly Finding[] {
  return [skipped('service', message), skipped('team', message)];
}
