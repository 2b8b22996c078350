import { existsSync } from 'node:fs';
import { type ProfilePoint, profilePoints } from '../../contract/profile.ts';
import type { WireSpaceLink } from '../../contract/wire.ts';
import type { Environment } from '../../environment/model.ts';
import { dependent } from '../../probe/points.ts';
import { explainGuard } from '../../render/messages/plan-guards.ts';
import type { Finding } from '../../render/model.ts';
import { renderServiceError } from '../../render/service-error.ts';
import { entriesOf } from '../../state/entries.ts';
import type { Replayed } from '../../state/replay.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { pluralize } from '../../text/pluralize.ts';
import { connect } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { databaseOf } from '../state.ts';
import type { Standing } from './check-state.ts';
import { type CheckResult, failed, failFrom, ok, skipped, warning } from './finding.ts';

/** Fewer than a run makes: who asks the doctor is waiting. */
const ATTEMPTS = 2;
const UNHEARD = 'the service could not be asked';

/**
 * Reads the spaces of the environment's user, the only thing that can be read (interface, section 4.5): whether
 * the service answers, takes the credentials and means the same team. A database is never begun for that.
 */
export async function checkService(
  environment: Environment,
  /** Undefined where the credentials are not there. */
  variables: NodeJS.ProcessEnv | undefined,
  standing: Standing | undefined,
  context: CommandContext,
): Promise<CheckResult> {
  if (environment.userId === undefined) return { findings: noUser(environment, context) };
  if (!variables) return { findings: both('it needs the credentials') };
  const knows = knowsRecords(standing?.recorded);
  if (environment.service.kind === 'embedded') {
    // A run may be about to open the database, which is one process's at a time: it must not find us there.
    if (standing?.isRunning) return { findings: both('a run has the embedded service now') };
    if (!existsSync(databaseOf(environment))) return { findings: withoutDatabase(environment, knows) };
  }
  const asking = { ...context, io: { ...context.io, env: variables } };
  const connecting = { parallel: 1, attempts: ATTEMPTS };
  const service = await connect(environment, connecting, asking);
  if (!service.ok) return { findings: notStarted(service.diagnostics, context) };
  try {
    const outcome = await service.value.listUserSpaces(environment.userId);
    if (outcome.kind === 'answered')
      return { findings: [answers(environment), teamOf(environment, outcome.body)] };
    const { message, hint } = renderServiceError(outcome.error, environment.credentials);
    return { findings: [failed('service', message, hint), skipped('team', UNHEARD)] };
  } finally {
    await service.value.close();
  }
}

function withoutDatabase({ name, state }: Environment, knowsRecords: boolean): readonly Finding[] {
  if (!knowsRecords) return both('the embedded service has no database yet; the first apply makes it');
  const { reason, remedies } = explainGuard({ code: 'database-gone', statePath: state.path }, name, '');
  return [failed('service', reason, ...remedies), skipped('team', UNHEARD)];
}

function noUser({ name, document }: Environment, { flags }: CommandContext): readonly Finding[] {
  const file = document?.source.path ?? `the file of environment ${name}`;
  return [
    skipped(
      'service',
      'without the id of a user, nothing can be asked without a write',
      `add \`userId: ID\` to ${file}: the spaces of that user are then read`,
      `or for once: trove spaces USER_ID${flags}`,
    ),
    skipped('team', 'the spaces of a user would tell it'),
  ];
}

function notStarted(diagnostics: readonly Diagnostic[], { flags }: CommandContext): readonly Finding[] {
  const inUse = diagnostics.some(({ rule }) => rule === 'database-in-use');
  const found = inUse
    ? warning(
        'service',
        'another process has the database of the embedded service open',
        `stop it (trove serve, or a run), then: trove doctor${flags}`,
      )
    : failFrom('service', diagnostics);
  return [found, skipped('team', UNHEARD)];
}

function answers({ service }: Environment): Finding {
  return ok('service', service.kind === 'embedded' ? 'answers' : 'answers, and takes the credentials');
}

/** Each link of a user to a space names its team: the guard of the environment, before anything is written. */
function teamOf({ teamId, userId }: Environment, links: readonly WireSpaceLink[]): Finding {
  if (links.length === 0)
    return skipped('team', `user ${userId} has no spaces, so the service does not say which team it is`);
  const foreign = links.find((link) => link.teamId !== teamId);
  if (!foreign) return ok('team', `${teamId}: its user ${userId} has ${pluralize(links.length, 'space')}`);
  const message = `the service says that user ${userId} is in team ${foreign.teamId}, and the environment names team ${teamId}`;
  return failed('team', message, 'check `teamId`, `userId` and the credentials');
}

function knowsRecords(recorded: Replayed | undefined): boolean {
  const entries = entriesOf(recorded?.state);
  return entries.all('live').length + entries.all('retired').length > 0;
}

function both(message: string): readonly Finding[] {
  return [skipped('service', message), skipped('team', message)];
}

/** How much Trove may rely on where the interface is silent. */
export function checkProfile(
  { profile, service, document, name }: Environment,
  standing: Standing | undefined,
  flags: string,
): Finding {
  const points = Object.keys(profilePoints) as ProfilePoint[];
  if (service.kind === 'embedded') return ok('profile', 'what the embedded service does is known');
  const named = namedPoints(document?.value);
  // `unsupported` may be what somebody found out; where nobody has said it, it only means that nobody knows.
  const told = (point: ProfilePoint) => (named.has(point) ? profile[point] : undefined);
  const unset = points.filter(
    (point) => (profile[point] === 'unknown' || !named.has(point)) && !dependent(point, told),
  );
  if (unset.length === 0) {
    const isWhole = points.every((point) => named.has(point));
    return ok(
      'profile',
      isWhole ? `all ${points.length} points are set` : 'every point that can be told is set',
    );
  }
  const are = unset.length === 1 ? 'is not set; what would need it' : 'are not set; what would need them';
  const message = `${unset.length} of ${pluralize(points.length, 'point')} ${are} is blocked`;
  const file = document?.source.path ?? `the file of environment ${name}`;
  return warning(
    'profile',
    message,
    standing && !standing.recorded
      ? `to find out by experiment, if the team is new: trove probe${flags} --new-environment`
      : `to find out by experiment: trove probe${flags}`,
    `or set what is known below \`profile\` in ${file} (docs/profile.md)`,
  );
}

/** The document is known to fit its schema. */
function namedPoints(value: unknown): ReadonlySet<string> {
  return new Set(Object.keys((value as { readonly profile?: object } | null | undefined)?.profile ?? {}));
}
