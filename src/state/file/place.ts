import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { followLinks } from './folder.ts';

/** Where a state file is. */
export interface Place {
  /** As people name it. */
  readonly path: string;
  /** With its links followed, as they were when this was first asked: lock, journal and state stay together. */
  real(): Promise<string>;
  /** Why nothing may be begun there any more: the path leads elsewhere now. Undefined where it does not. */
  moved(): Promise<Diagnostic | undefined>;
}

export function createPlace(path: string): Place {
  let known: string | undefined;

  async function real(): Promise<string> {
    const found = known ?? (await followLinks(path));
    known ??= found;
    return known;
  }

  async function moved(): Promise<Diagnostic | undefined> {
    const before = await real();
    const now = await followLinks(path);
    return now === before ? undefined : stateMoved(path, before, now);
  }

  return { path, real, moved };
}

function stateMoved(path: string, before: string, now: string): Diagnostic {
  const message = `The state was moved while this run had it: the path leads to ${now} now, and led to ${before}.`;
  return error('state-moved', message, {
    subject: path,
    hint:
      `What this run recorded and could not save stands in ${before}.journal. Move the state back, or move that journal to ` +
      `${now}.journal, and run again: the next run takes it in.`,
  });
}
