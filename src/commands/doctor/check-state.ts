import { shownPath } from '../../catalog/find.ts';
import type { Environment } from '../../environment/model.ts';
import type { Finding, RecordCheck } from '../../render/model.ts';
import { type Entries, entriesOf } from '../../state/entries.ts';
import type { State } from '../../state/model.ts';
import { isOlder } from '../../state/version.ts';
import type { CommandContext } from '../context.ts';
import { orFail } from '../exit-code.ts';
import { newestHere, readRecordedOf, stateStore } from '../state.ts';
import { type Examination, failed, ok, skipped, warning } from './finding.ts';

/** Whose the lock is, without taking it. */
export async function checkLock(environment: Environment, examination: Examination): Promise<Finding> {
  const lock = orFail(await stateStore(environment).lock.inspect());
  if (lock.kind === 'free') return ok('lock', 'not-locked', {});
  const isGone = lock.standing === 'gone';
  examination.isRunning = !isGone;
  return warning('lock', 'locked', { owner: lock.owner, isGone });
}

export async function checkState(environment: Environment, examination: Examination): Promise<Finding> {
  const { context } = examination;
  const { state, events = [] } = orFail(await readRecordedOf(environment)) ?? {};
  examination.recorded = { state, journalEntries: events.length };
  if (!state) return absent(environment, context);
  const newest = await newestHere(environment, context);
  if (!newest || !isOlder(state, newest)) return present(state, environment, context);
  return failed('state', 'older-state', { serial: state.serial, newest: newest.serial });
}

function absent(environment: Environment, { io }: CommandContext): Finding {
  const path = shownPath(environment.state.path, io.cwd);
  return environment.service.kind === 'embedded'
    ? ok('state', 'state-begins', { path })
    : warning('state', 'no-state', { path });
}

function present(recorded: State, { state }: Environment, { io }: CommandContext): Finding {
  const { serial, lineage, recovering, partial } = recorded;
  const count = (status: 'live' | 'retired' | 'imported') => entriesOf(recorded).all(status).length;
  const counts = { live: count('live'), retired: count('retired'), imported: count('imported') };
  const has = { path: shownPath(state.path, io.cwd), counts };
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

const countOf: Readonly<Record<RecordCheck, (entries: Entries) => number>> = {
  unknown: (entries) => entries.all('pending').length,
  unconfirmed: (entries) => entries.all('live').filter((record) => record.unconfirmed).length,
  imported: (entries) => entries.all('imported').length,
  diverged: (entries) => entries.all('live').filter(({ confidence }) => confidence === 'diverged').length,
};

/** What in a state waits for a person or for the next run. */
export const checkRecords = (Object.keys(countOf) as RecordCheck[]).map((check) => ({
  checks: [check] as const,
  look(_: Environment, { isRunning = false, recorded }: Examination): Finding {
    if (!recorded) return skipped(check, 'no-state-read', {});
    if (!recorded.state) return skipped(check, 'nothing-recorded', {});
    const count = countOf[check](entriesOf(recorded.state));
    if (count === 0) return ok(check, 'none-wait', { of: check });
    return warning(check, 'wait', { of: check, count, isRunning: check === 'unknown' && isRunning });
  },
}));
