import { shownPath } from '../../catalog/find.ts';
import type { Environment } from '../../environment/model.ts';
import { explainGuard } from '../../render/messages/explain-plan.ts';
import type { DoctorCheck, Finding } from '../../render/model.ts';
import { describeOwner } from '../../render/state-text.ts';
import { type Entries, entriesOf } from '../../state/entries.ts';
import type { LockState } from '../../state/file/lock.ts';
import type { NewestVersion } from '../../state/file/newest-version.ts';
import type { State } from '../../state/model.ts';
import { isOlder } from '../../state/version.ts';
import { pluralize } from '../../text/pluralize.ts';
import type { CommandContext } from '../context.ts';
import { newestHere, olderState, readRecordedOf, stateStore } from '../state.ts';
import { type CheckResult, failed, failFrom, ok, skipped, warning } from './finding.ts';

export interface Standing {
  /** Undefined where nothing is recorded. */
  readonly state?: State;
  /** A run has the lock, or may have it. */
  readonly isRunning: boolean;
}

/** State, lock and journal, without taking the lock. No value if the state can't be used. */
export async function checkState(
  environment: Environment,
  context: CommandContext,
): Promise<CheckResult<Standing>> {
  const lock = await stateStore(environment).inspectLock();
  const isRunning = lock.ok && lock.value.kind === 'held' && lock.value.standing !== 'gone';
  const locked = lock.ok ? lockFinding(lock.value, context) : failFrom('lock', lock.diagnostics);
  const recorded = await readRecordedOf(environment);
  if (!recorded.ok) {
    const journal = skipped('journal', "the state can't be used");
    return { findings: [failFrom('state', recorded.diagnostics), locked, journal] };
  }
  const newest = await newestHere(environment, context);
  const { state, events = [] } = recorded.value ?? {};
  return {
    findings: [
      stateFinding(state, newest, environment, context),
      locked,
      journalFinding(events.length, isRunning, context),
    ],
    value: { ...(state && { state }), isRunning },
  };
}

function stateFinding(
  state: State | undefined,
  newest: NewestVersion | undefined,
  environment: Environment,
  context: CommandContext,
): Finding {
  if (!state) return absent(environment, context);
  if (!newest || !isOlder(state, newest)) return present(state, environment, context);
  const { reason, remedies } = olderState(environment, state, newest, context);
  return failed('state', reason, ...remedies);
}

function absent(environment: Environment, { flags, io }: CommandContext): Finding {
  const path = shownPath(environment.state.path, io.cwd);
  if (environment.service.kind === 'embedded')
    return ok('state', `${path}: none yet; the first apply begins it`);
  const { remedies } = explainGuard({ code: 'no-state' }, environment.name, flags);
  return warning('state', `${path} does not exist, so every record would be created anew`, ...remedies);
}

function present(recorded: State, { state }: Environment, { io, flags }: CommandContext): Finding {
  const { serial, lineage, recovering, partial } = recorded;
  const count = (status: 'live' | 'retired' | 'imported') => entriesOf(recorded).all(status).length;
  const others = (['retired', 'imported'] as const).filter((status) => count(status) > 0);
  const counts = [
    pluralize(count('live'), 'record'),
    ...others.map((status) => `${count(status)} ${status}`),
  ];
  const has = `${shownPath(state.path, io.cwd)}: ${counts.join(', ')}`;
  if (recovering)
    return warning(
      'state',
      `${has}; it was lost, and its recovery is not finished`,
      `what is still to be found: trove plan${flags}`,
    );
  if (partial)
    return warning(
      'state',
      `${has}; begun by ${partial.by === 'import' ? 'an import' : 'a probe'}, so what it does not know may exist`,
      `if the team is new: trove apply${flags} --new-environment`,
      `if its state was lost: trove apply${flags} --recover`,
      `or name the ids of what it has: trove import${flags} --file FILE`,
    );
  return ok('state', `${has}; serial ${serial} of lineage ${lineage}`);
}

function lockFinding(lock: LockState, { flags }: CommandContext): Finding {
  switch (lock.kind) {
    case 'free':
      return ok('lock', 'nobody has it');
    case 'held': {
      const owner = describeOwner(lock.owner);
      if (!lock.owner) {
        return warning(
          'lock',
          `held by ${owner}`,
          `if no run is going on: trove state unlock --force${flags}`,
        );
      }
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
  const them = entries === 1 ? 'it' : 'them';
  return warning('journal', message, `the next run takes ${them} in: trove apply${flags}`);
}

const recordChecks = ['unknown', 'unconfirmed', 'imported', 'diverged'] as const;

/** What in a state waits for a person or for the next run. `standing` is undefined if the state can't be used. */
export function checkRecords(standing: Standing | undefined, flags: string): readonly Finding[] {
  const state = standing?.state;
  if (state) return recordFindings(entriesOf(state), standing.isRunning, flags);
  const why = standing ? 'nothing is recorded yet' : "the state can't be used";
  return recordChecks.map((check) => skipped(check, why));
}

function recordFindings(entries: Entries, isRunning: boolean, flags: string): readonly Finding[] {
  const [pending, imported] = [entries.all('pending').length, entries.all('imported').length];
  const unconfirmed = entries.all('live').filter((record) => record.unconfirmed).length;
  const diverged = entries.all('live').filter(({ confidence }) => confidence === 'diverged').length;
  const running = isRunning ? ', and a run is under way that may see it yet' : '';
  const found = (check: DoctorCheck, count: number, none: string, some: string, remedy: string) =>
    count === 0 ? ok(check, none) : warning(check, some, remedy + flags);
  return [
    found(
      'unknown',
      pending,
      'the outcome of every create was seen',
      `the outcome of ${pluralize(pending, 'create')} was not seen${running}`,
      'to see them and what each asks for: trove resolve',
    ),
    found(
      'unconfirmed',
      unconfirmed,
      'every update was answered',
      `${pluralize(unconfirmed, 'update')} may or may not have been taken`,
      'to send the records again as declared: trove apply',
    ),
    found(
      'imported',
      imported,
      'no imported id waits to be confirmed',
      `no answer has confirmed ${pluralize(imported, 'imported id')} yet`,
      'the next apply writes to each and sees: trove apply',
    ),
    found(
      'diverged',
      diverged,
      'the service took every value that it was sent',
      `of ${pluralize(diverged, 'record')} the service made something else than it was sent`,
      'to see both values: trove plan',
    ),
  ];
}
