import { shownPath } from '../../catalog/find.ts';
import type { Environment } from '../../environment/model.ts';
import { targetOf } from '../../plan/make-plan.ts';
import type { DoctorCheck, Finding } from '../../render/model.ts';
import { describeOwner } from '../../render/state-text.ts';
import { type Entries, entriesOf } from '../../state/entries.ts';
import type { LockState } from '../../state/file/lock.ts';
import { type Replayed, readRecorded } from '../../state/replay.ts';
import { assertTarget, isOlder } from '../../state/version.ts';
import { pluralize } from '../../text/pluralize.ts';
import type { CommandContext } from '../context.ts';
import { newestHere, olderThan, stateStore, waysFromOlder } from '../state.ts';
import { type CheckResult, failed, failFrom, ok, skipped, warning } from './finding.ts';

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
): Promise<CheckResult<Standing>> {
  const store = stateStore(environment);
  const lock = await store.inspectLock();
  const isRunning = lock.ok && lock.value.kind === 'held' && lock.value.standing !== 'gone';
  const locked = lock.ok ? lockFinding(lock.value, context) : failFrom('lock', lock.diagnostics);
  const recorded = await readRecorded(store);
  if (!recorded.ok) return unusable([failFrom('state', recorded.diagnostics), locked]);
  if (!recorded.value) {
    const found = [absent(environment, context), locked, journalFinding(0, isRunning, context)];
    return { findings: found, value: { isRunning } };
  }
  const foreign = assertTarget(recorded.value.state, targetOf(environment));
  if (foreign) return unusable([failFrom('state', [foreign]), locked]);
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

function unusable(findings: readonly Finding[]): CheckResult<Standing> {
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
    pluralize(live.length, 'record'),
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

const checks: readonly DoctorCheck[] = ['unknown', 'unconfirmed', 'imported', 'diverged'];

/** What in a state waits for a person or for the next run. `standing` is undefined where the state can't be used. */
export function checkRecords(standing: Standing | undefined, flags: string): readonly Finding[] {
  const state = standing?.recorded?.state;
  if (!state) {
    const why = standing ? 'nothing is recorded yet' : "the state can't be used";
    return checks.map((check) => skipped(check, why));
  }
  const entries = entriesOf(state);
  return [
    unknown(entries, standing.isRunning, flags),
    unconfirmed(entries, flags),
    imported(entries, flags),
    diverged(entries, flags),
  ];
}

function unknown(entries: Entries, isRunning: boolean, flags: string): Finding {
  const pending = entries.all('pending');
  if (pending.length === 0) return ok('unknown', 'the outcome of every create was seen');
  const running = isRunning ? ', and a run is under way that may see it yet' : '';
  const message = `the outcome of ${pluralize(pending.length, 'create')} was not seen${running}`;
  return warning('unknown', message, `to see them and what each asks for: trove resolve${flags}`);
}

function unconfirmed(entries: Entries, flags: string): Finding {
  const count = entries.all('live').filter((record) => record.unconfirmed).length;
  if (count === 0) return ok('unconfirmed', 'every update was answered');
  const message = `${pluralize(count, 'update')} may or may not have been taken`;
  return warning('unconfirmed', message, `to send the records again as declared: trove apply${flags}`);
}

function imported(entries: Entries, flags: string): Finding {
  const ids = entries.all('imported');
  if (ids.length === 0) return ok('imported', 'no imported id waits to be confirmed');
  const message = `no answer has confirmed ${pluralize(ids.length, 'imported id')} yet`;
  return warning('imported', message, `the next apply writes to each and sees: trove apply${flags}`);
}

function diverged(entries: Entries, flags: string): Finding {
  const count = entries.all('live').filter(({ confidence }) => confidence === 'diverged').length;
  if (count === 0) return ok('diverged', 'the service took every value that it was sent');
  const message = `of ${pluralize(count, 'record')} the service made something else than it was sent`;
  return warning('diverged', message, `to see both values: trove plan${flags}`);
}
