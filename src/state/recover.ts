import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { assertTarget } from './assert-target.ts';
import type { StateEvent } from './event.ts';
import { checkState } from './format.ts';
import { holdsAll, namedIds } from './holds-all.ts';
import type { State } from './model.ts';
import { newState } from './new-state.ts';
import { fold } from './reduce.ts';
import type { Journal, JournalHeader } from './store.ts';
import { isSameVersion, versionOf } from './version.ts';

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
  const why = mismatch(base, header);
  if (!base || why !== undefined) return failure(journalMismatch(why ?? '', events, subject));
  if (isSameVersion(header, versionOf(base))) return replay(base, events, subject);
  if (header.serial < base.serial && holdsAll(base, events))
    return success({ state: base, stored: base, events: [] });
  return failure(journalMismatch(notTakenIn(header, base), events, subject));
}

function notTakenIn(header: JournalHeader, { serial }: State): string {
  if (header.serial === serial)
    return `The journal continues another version of serial ${serial}: the recorded ids differ.`;
  return `The journal continues serial ${header.serial}, and the state, with serial ${serial}, does not have all that it records: the state was replaced by another version.`;
}

/** The events were written by Trove, or by whoever could put a file there. */
function replay(base: State, events: readonly StateEvent[], subject: string): Result<Recovered> {
  try {
    const state = checkState(fold(base, events), subject);
    if (state.ok) return success({ state: state.value, stored: base, events });
    return failure(...state.diagnostics.map(({ message }) => contradiction(message, subject)));
  } catch (cause) {
    return failure(contradiction((cause as Error).message, subject));
  }
}

function contradiction(why: string, subject: string): Diagnostic {
  return error('journal-contradiction', `The journal can't be taken into the state: ${why}`, {
    subject,
    hint: 'Keep a copy of both files and report this: it should not be possible.',
  });
}

/** Why a journal can't continue this state; undefined where its header fits. */
function mismatch(state: State | undefined, header: JournalHeader): string | undefined {
  if (!state)
    return `An interrupted run left a journal that continues serial ${header.serial}, but the state is missing.`;
  if (header.lineage !== state.lineage)
    return 'The journal beside the state belongs to another state: their lineages differ.';
  if (header.serial > state.serial)
    return `The journal beside the state continues a later version of it: serial ${header.serial}, and the state has ${state.serial}.`;
  if (assertTarget(state, header.target)) return 'The journal and the state name different targets.';
  return undefined;
}

const SHOWN = 5;

/** Its ids are named, since nothing else may have them. */
function journalMismatch(message: string, events: readonly StateEvent[], subject: string): Diagnostic {
  const ids = namedIds(events).map(({ address, id }) => `${address} ${JSON.stringify(id)}`);
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  const named = ids.length > 0 ? ` It records ${ids.slice(0, SHOWN).join(', ')}${more}.` : '';
  return error('journal-mismatch', `${message}${named}`, {
    subject,
    hint:
      'Put back the state that it continues (git may have it): the next run then takes the journal in. If that state ' +
      'is lost, keep the journal: it may be the only place with these ids.',
  });
}
