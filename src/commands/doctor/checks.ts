import { existsSync } from 'node:fs';
import { shownPath } from '../../catalog/find.ts';
import type { WireSpaceLink } from '../../contract/api.ts';
import type { Environment } from '../../environment/model.ts';
import type { Finding, RecordCheck } from '../../render/model.ts';
import { type Entries, entriesOf } from '../../state/entries.ts';
import { isInDoubt } from '../../state/entry.ts';
import type { State } from '../../state/model.ts';
import { isOlder } from '../../state/version.ts';
import { otherTeam, readSpaces, withService } from '../client.ts';
import type { CommandContext } from '../context.ts';
import { CommandFailure, orFail } from '../exit-code.ts';
import { newestHere, readRecordedOf, shownState, stateStore } from '../state.ts';
import { type Examination, failed, fileOf, ok, skipped, warning } from './finding.ts';

/** Whose the lock is, without taking it. */
export async function checkLock(environment: Environment, examination: Examination): Promise<Finding> {
  const lock = orFail(await stateStore(environment, examination.context).lock.inspect());
  if (lock.kind === 'free') return ok('lock', 'not-locked', {});
  const isGone = lock.standing === 'gone';
  examination.isRunning = !isGone;
  return warning('lock', 'locked', { owner: lock.owner, isGone });
}

export async function checkState(environment: Environment, examination: Examination): Promise<Finding> {
  const { context } = examination;
  const { state, events = [] } = orFail(await readRecordedOf(environment, context)) ?? {};
  examination.recorded = { state, journalEntries: events.length };
  if (!state) {
    const finding = await absent(environment, context);
    examination.isLost = finding.status === 'error';
    return finding;
  }
  const newest = await newestHere(environment, context);
  if (!newest || !isOlder(state, newest)) return present(state, environment, context);
  return failed('state', 'older-state', { serial: state.serial, newest: newest.serial });
}

async function absent(environment: Environment, context: CommandContext): Promise<Finding> {
  const path = shownState(environment, context.io.cwd);
  const { service, database, newestVersionPath } = environment;
  const newest = await newestHere(environment, context);
  if (service.kind === 'remote')
    return newest
      ? failed('state', 'state-gone', {
          serial: newest.serial,
          remove: shownPath(newestVersionPath, environment.catalogFolder),
        })
      : warning('state', 'no-state', { path });
  const isLost = newest && existsSync(database);
  return isLost
    ? failed('state', 'state-gone', { remove: shownPath(database, environment.catalogFolder) })
    : ok('state', 'state-begins', { path });
}

function present(recorded: State, environment: Environment, { io }: CommandContext): Finding {
  const { serial, lineage, recovering, partial } = recorded;
  const count = (status: 'live' | 'retired' | 'imported') => entriesOf(recorded).all(status).length;
  const counts = { live: count('live'), retired: count('retired'), imported: count('imported') };
  const has = { path: shownState(environment, io.cwd), counts };
  if (recovering) return warning('state', 'recovering', has);
  if (partial) return warning('state', 'partial', { ...has, by: partial.by });
  return ok('state', 'state', { ...has, serial, lineage });
}

export function checkJournal(_: Environment, { isRunning, recorded }: Examination): Finding {
  if (!recorded) return skipped('journal', 'no-state-read', {});
  const { journalEntries: entries } = recorded;
  if (entries === 0) return ok('journal', 'empty-journal', {});
  if (isRunning) return ok('journal', 'journal-of-run', { entries });
  return warning('journal', 'journal-left', { entries });
}

const countOf: Readonly<Record<RecordCheck, (entries: Entries, state: State) => number>> = {
  unknown: (entries) => entries.all('pending').length,
  unconfirmed: (_, { entries, recovering }) =>
    entries.filter(isInDoubt).length + (recovering?.asked ?? []).length,
  imported: (entries) => entries.all('imported').length,
  diverged: (entries) => entries.all('live').filter(({ confidence }) => confidence === 'diverged').length,
};

/** What in a state waits for a person or for the next run. */
export const checkRecords = (Object.keys(countOf) as RecordCheck[]).map((check) => ({
  checks: [check] as const,
  look(_: Environment, { isRunning = false, recorded }: Examination): Finding {
    if (!recorded) return skipped(check, 'no-state-read', {});
    if (!recorded.state) return skipped(check, 'nothing-recorded', {});
    const count = countOf[check](entriesOf(recorded.state), recorded.state);
    if (count === 0) return ok(check, 'none-wait', { of: check });
    return warning(check, 'wait', { of: check, count, isRunning: check === 'unknown' && isRunning });
  },
}));

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
  if (userId === undefined) {
    const file = fileOf(environment);
    return [skipped('service', 'no-user', { file }), skipped('team', 'no-user-to-ask', {})];
  }
  if (!variables) return both('no-credentials');
  if (service.kind === 'embedded') {
    // A run may be about to open the database, which is one process's at a time: it must not find us there.
    if (isRunning) return both('run-has-service');
    // The service is never begun just to be asked.
    if (!existsSync(environment.database))
      return hasRecords(recorded?.state)
        ? unheard(
            failed('service', 'database-gone', {
              statePath: shownState(environment, environment.catalogFolder),
            }),
          )
        : both('no-database');
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

function hasRecords(state: State | undefined): boolean {
  const entries = entriesOf(state);
  return entries.all('live').length + entries.all('retired').length > 0;
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
