import { shownPath } from '../../catalog/find.ts';
import type { Environment } from '../../environment/model.ts';
import { explainGuard } from '../../render/messages/explain-plan.ts';
import { describeOwner } from '../../render/messages/state-command-problems.ts';
import type { DoctorCheck, Finding } from '../../render/model.ts';
import { type Entries, entriesOf } from '../../state/entries.ts';
import type { State } from '../../state/model.ts';
import { isOlder } from '../../state/version.ts';
import { pluralize } from '../../text/pluralize.ts';
import type { CommandContext } from '../context.ts';
import { orFail } from '../exit-code.ts';
import { newestHere, olderState, readRecordedOf, stateStore } from '../state.ts';
import { type Examination, failed, ok, skipped, warning } from './finding.ts';

/** Whose the lock is, without taking it. */
export async function checkLock(environment: Environment, examination: Examination): Promise<Finding> {
  const lock = orFail(await stateStore(environment).inspectLock());
  if (lock.kind === 'free') return ok('lock', 'nobody has it');
  const { flags } = examination.context;
  const owner = describeOwner(lock.owner);
  examination.isRunning = lock.standing !== 'gone';
  if (!lock.owner)
    return warning('lock', `held by ${owner}`, `if no run is going on: trove state unlock --force${flags}`);
  const unlock = `trove state unlock${flags}`;
  if (examination.isRunning)
    return warning('lock', `held by ${owner}`, `wait for that run to end; if it is gone for good: ${unlock}`);
  const takeover = `the next run takes it over; or now: ${unlock}`;
  return warning('lock', `left behind by ${owner}, which has ended`, takeover);
}

export async function checkState(environment: Environment, examination: Examination): Promise<Finding> {
  const { context } = examination;
  const { state, events = [] } = orFail(await readRecordedOf(environment)) ?? {};
  examination.recorded = { state, journalEntries: events.length };
  if (!state) return absent(environment, context);
  const newest = await newestHere(environment, context);
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

export function checkJournal(_: Environment, { context, isRunning, recorded }: Examination): Finding {
  if (!recorded) return skipped('journal', "the state can't be used");
  const { journalEntries } = recorded;
  if (journalEntries === 0) return ok('journal', 'nothing is left of an interrupted run');
  const [counts, them] = journalEntries === 1 ? ['1 entry', 'it'] : [`${journalEntries} entries`, 'them'];
  if (isRunning) return ok('journal', `${counts} of the run that has the lock`);
  const message = `an interrupted run left ${counts} that the state does not have yet`;
  return warning('journal', message, `the next run takes ${them} in: trove apply${context.flags}`);
}

interface RecordCheck {
  readonly count: (entries: Entries) => number;
  readonly none: string;
  readonly some: (count: number) => string;
  readonly remedy: string;
}

/** What in a state waits for a person or for the next run. */
const recordChecks = {
  unknown: {
    count: (entries) => entries.all('pending').length,
    none: 'the outcome of every create was seen',
    some: (count) => `the outcome of ${pluralize(count, 'create')} was not seen`,
    remedy: 'to see them and what each asks for: trove resolve',
  },
  unconfirmed: {
    count: (entries) => entries.all('live').filter((record) => record.unconfirmed).length,
    none: 'every update was answered',
    some: (count) => `${pluralize(count, 'update')} may or may not have been taken`,
    remedy: 'to send the records again as declared: trove apply',
  },
  imported: {
    count: (entries) => entries.all('imported').length,
    none: 'no imported id waits to be confirmed',
    some: (count) => `no answer has confirmed ${pluralize(count, 'imported id')} yet`,
    remedy: 'the next apply writes to each and sees: trove apply',
  },
  diverged: {
    count: (entries) => entries.all('live').filter(({ confidence }) => confidence === 'diverged').length,
    none: 'the service took every value that it was sent',
    some: (count) => `of ${pluralize(count, 'record')} the service made something else than it was sent`,
    remedy: 'to see both values: trove plan',
  },
} satisfies Partial<Record<DoctorCheck, RecordCheck>>;

export const checkRecords = (Object.keys(recordChecks) as (keyof typeof recordChecks)[]).map((check) => ({
  checks: [check] as const,
  look(_: Environment, { context, isRunning, recorded }: Examination): Finding {
    if (!recorded) return skipped(check, "the state can't be used");
    if (!recorded.state) return skipped(check, 'nothing is recorded yet');
    const { count, none, some, remedy } = recordChecks[check];
    const found = count(entriesOf(recorded.state));
    if (found === 0) return ok(check, none);
    const running = check === 'unknown' && isRunning ? ', and a run is under way that may see it yet' : '';
    return warning(check, some(found) + running, remedy + context.flags);
  },
}));
