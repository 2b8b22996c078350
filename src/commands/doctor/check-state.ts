import { shownPath } from '../../catalog/find.ts';
import type { Environment } from '../../environment/model.ts';
import { targetOf } from '../../plan/make-plan.ts';
import type { Finding } from '../../render/model.ts';
import { describeOwner } from '../../render/state-text.ts';
import { entriesOf } from '../../state/entries.ts';
import { type Replayed, readRecorded } from '../../state/replay.ts';
import type { LockState } from '../../state/store.ts';
import { assertTarget, isOlder } from '../../state/version.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import type { CommandContext } from '../invocation/context.ts';
import { newestHere, olderThan, waysFromOlder } from '../recording/older-state.ts';
import { stateStore } from '../recording/state-store.ts';
import { broken, failed, type Looked, ok, skipped, warning } from './finding.ts';

/** How things stand with the state of an environment. */
export interface Standing {
  /** Undefined where nothing is recorded. */
  readonly recorded?: Replayed;
  /** A run has the lock, or may have it. */
  readonly isRunning: boolean;
}

/** State, lock and journal, without taking the lock. No value where the state can't be used. */
export async function checkState(
  environment: Environment,
  context: CommandContext,
): Promise<Looked<Standing>> {
  const store = stateStore(environment);
  const lock = await store.inspectLock();
  const isRunning = lock.kind === 'held' && lock.standing !== 'gone';
  const locked = lockFinding(lock, context);
  const recorded = await readRecorded(store);
  if (!recorded.ok) return unusable([broken('state', recorded.diagnostics), locked]);
  if (!recorded.value) {
    const found = [absent(environment, context), locked, journalFinding(0, isRunning, context)];
    return { findings: found, value: { isRunning } };
  }
  const foreign = assertTarget(recorded.value.state, targetOf(environment));
  if (foreign) return unusable([broken('state', [foreign]), locked]);
  const { state, events } = recorded.value;
  const newest = await newestHere(environment, context);
  const found = [
    newest && isOlder(state, newest)
      ? failed('state', olderThan(state.serial, newest), ...waysFromOlder(environment, context))
      : present(state, environment, context),
    locked,
    journalFinding(events.length, isRunning, context),
  ];
  return { findings: found, value: { recorded: recorded.value, isRunning } };
}

function unusable(findings: readonly Finding[]): Looked<Standing> {
  return { findings: [...findings, skipped('journal', "the state can't be used")] };
}

function absent(environment: Environment, { flags, io }: CommandContext): Finding {
  const path = shownPath(environment.state.path, io.cwd);
  if (environment.service.kind === 'embedded')
    return ok('state', `${path}: none yet; the first apply begins it`);
  return warning(
    'state',
    `${path} does not exist, so every record would be created anew`,
    'if this team was applied before, put its state back first',
    `if it is lost for good: trove apply${flags} --recover`,
    `if it is really new: trove apply${flags} --new-environment`,
  );
}

function present(
  recorded: Replayed['state'],
  { state }: Environment,
  { io, flags }: CommandContext,
): Finding {
  const { serial, lineage, recovering, partial } = recorded;
  const entries = entriesOf(recorded);
  const [live, retired, imported] = [entries.all('live'), entries.all('retired'), entries.all('imported')];
  const counts = [
    counted(live.length, 'record'),
    ...(retired.length > 0 ? [`${retired.length} retired`] : []),
    ...(imported.length > 0 ? [`${imported.length} imported`] : []),
  ];
  const path = shownPath(state.path, io.cwd);
  if (recovering)
    return warning(
      'state',
      `${path}: ${counts.join(', ')}; it was lost, and its recovery is not finished`,
      `what is still to be found: trove plan${flags}`,
    );
  if (partial)
    return warning(
      'state',
      `${path}: ${counts.join(', ')}; begun by ${partial.by === 'import' ? 'an import' : 'a probe'}, so what it does not know may exist`,
      `if the team is new: trove apply${flags} --new-environment`,
      `if its state was lost: trove apply${flags} --recover`,
      `or name the ids of what it has: trove import${flags} --file FILE`,
    );
  return ok('state', `${path}: ${counts.join(', ')}; serial ${serial} of lineage ${lineage}`);
}

function lockFinding(lock: LockState, { flags }: CommandContext): Finding {
  switch (lock.kind) {
    case 'free':
      return ok('lock', 'nobody has it');
    case 'failed':
      return broken('lock', lock.diagnostics);
    case 'held': {
      if (!lock.owner) {
        const force = `if no run is going on: trove state unlock --force${flags}`;
        return warning('lock', 'held by somebody who left no name', force);
      }
      const owner = describeOwner(lock.owner);
      if (lock.standing === 'gone') {
        const take = `the next run takes it over; or now: trove state unlock${flags}`;
        return warning('lock', `left behind by ${owner}, which has ended`, take);
      }
      const unlock = `wait for that run to end; if it is gone for good: trove state unlock${flags}`;
      return warning('lock', `held by ${owner}`, unlock);
    }
  }
}

function journalFinding(entries: number, isRunning: boolean, { flags }: CommandContext): Finding {
  if (entries === 0) return ok('journal', 'nothing is left of an interrupted run');
  const counts = entries === 1 ? '1 entry' : `${entries} entries`;
  if (isRunning) return ok('journal', `${counts} of the run that has the lock`);
  const message = `an interrupted run left ${counts} that the state does not have yet`;
  return warning(
    'journal',
    message,
    `the next run takes ${entries === 1 ? 'it' : 'them'} in: trove apply${flags}`,
  );
}
