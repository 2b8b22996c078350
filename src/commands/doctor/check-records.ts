import type { DoctorCheck, Finding } from '../../render/model.ts';
import { type Entries, entriesOf } from '../../state/entries.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import type { Standing } from './check-state.ts';
import { ok, skipped, warning } from './finding.ts';

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
  const message = `the outcome of ${counted(pending.length, 'create')} was not seen${running}`;
  return warning('unknown', message, `to see them and what each asks for: trove resolve${flags}`);
}

function unconfirmed(entries: Entries, flags: string): Finding {
  const count = entries.all('live').filter((record) => record.unconfirmed).length;
  if (count === 0) return ok('unconfirmed', 'every update was answered');
  const message = `${counted(count, 'update')} may or may not have been taken`;
  return warning('unconfirmed', message, `to send the records again as declared: trove apply${flags}`);
}

function imported(entries: Entries, flags: string): Finding {
  const ids = entries.all('imported');
  if (ids.length === 0) return ok('imported', 'no imported id waits to be confirmed');
  const message = `no answer has confirmed ${counted(ids.length, 'imported id')} yet`;
  return warning('imported', message, `the next apply writes to each and sees: trove apply${flags}`);
}

function diverged(entries: Entries, flags: string): Finding {
  const count = entries.all('live').filter(({ confidence }) => confidence === 'diverged').length;
  if (count === 0) return ok('diverged', 'the service took every value that it was sent');
  const message = `of ${counted(count, 'record')} the service made something else than it was sent`;
  return warning('diverged', message, `to see both values: trove plan${flags}`);
}
