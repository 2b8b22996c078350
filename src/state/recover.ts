import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { assertTarget } from './assert-target.ts';
import type { StateEvent } from './event.ts';
import { holdsAll } from './holds-all.ts';
import { idsDigest } from './ids-digest.ts';
import type { State } from './model.ts';
import { newState } from './new-state.ts';
import { fold } from './reduce.ts';
import type { Journal, JournalHeader } from './store.ts';

/** What is recorded, once the journal of an interrupted run is taken in. */
export interface Recovered {
  readonly state: State;
  /** As it is stored: what a journal continues. */
  readonly stored: State;
  /** What the journal added to the stored state, in order. Empty where there was none, or only a finished one. */
  readonly events: readonly StateEvent[];
}

/** Joins a stored state and the journal beside it. `subject` is where they are, for the diagnostics. */
export function recover(
  state: State | undefined,
  journal: Journal | undefined,
  subject: string,
): Result<Recovered | undefined> {
  if (!journal) return success(state && { state, stored: state, events: [] });
  const { header, events } = journal;
  // A run that was interrupted before its first save: the journal alone says what the state was, namely empty.
  const base = state ?? (header.serial === 0 ? newState(header) : undefined);
  if (!base) return failure(stateMissing(header, subject));
  const foreign = foreignJournal(base, header, subject);
  if (foreign) return failure(foreign);
  if (header.serial === base.serial) {
    if (header.ids === idsDigest(base)) return replay(base, events, subject);
    const what = `The journal continues another version of serial ${header.serial}: the recorded ids differ.`;
    return failure(journalMismatch(subject, what));
  }
  if (holdsAll(base, events)) return success({ state: base, stored: base, events: [] });
  return failure(journalMismatch(subject, notTakenIn(header, base)));
}

function replay(base: State, events: readonly StateEvent[], subject: string): Result<Recovered> {
  try {
    return success({ state: fold(base, events), stored: base, events });
  } catch (cause) {
    return failure(
      error(
        'journal-contradiction',
        `The journal can't be taken into the state: ${(cause as Error).message}`,
        {
          subject,
          hint: 'Keep a copy of both files and report this: it should not be possible.',
        },
      ),
    );
  }
}

function foreignJournal(state: State, header: JournalHeader, subject: string): Diagnostic | undefined {
  if (header.lineage !== state.lineage) {
    return journalMismatch(
      subject,
      'The journal beside the state belongs to another state: their lineages differ.',
    );
  }
  if (header.serial > state.serial) {
    const serials = `serial ${header.serial}, and the state has ${state.serial}`;
    return journalMismatch(
      subject,
      `The journal beside the state continues a later version of it: ${serials}.`,
    );
  }
  return (
    assertTarget(state, header.target) &&
    journalMismatch(subject, 'The journal and the state name different targets.')
  );
}

function notTakenIn(header: JournalHeader, state: State): string {
  return (
    `The journal beside the state continues serial ${header.serial}, and the state, with serial ${state.serial}, ` +
    'does not hold all that it records: the state was replaced by another version.'
  );
}

function stateMissing({ serial }: JournalHeader, subject: string): Diagnostic {
  return journalMismatch(
    subject,
    `An interrupted run left a journal that continues serial ${serial}, but the state is missing.`,
  );
}

function journalMismatch(subject: string, message: string): Diagnostic {
  return error('journal-mismatch', message, {
    subject,
    hint:
      'The journal may record ids that nothing else does. Put back the state that it continues (git may have it), ' +
      'or move the journal away if you are sure that it does not matter.',
  });
}
