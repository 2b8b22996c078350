import type { Catalog } from '../../catalog/model.ts';
import type { Environment } from '../../environment/model.ts';
import { renderCrash } from '../../render/diagnostics.ts';
import { explained, explainProblems } from '../../render/messages/explain-problem.ts';
import type { DoctorCheck, Finding } from '../../render/model.ts';
import type { State } from '../../state/model.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { CommandContext } from '../context.ts';
import { CommandFailure } from '../exit-code.ts';

/** One run of the doctor. Each check adds what the ones after it need; what could not be found out stays undefined. */
export interface Examination {
  readonly context: CommandContext;
  readonly passwordStdin: boolean;
  catalog?: Catalog;
  environment?: Environment;
  /** With the password from standard input, if it comes from there. */
  variables?: NodeJS.ProcessEnv;
  /** A run has the lock, or may have it. */
  isRunning?: boolean;
  /** Its state is undefined where nothing is recorded. */
  recorded?: { readonly state: State | undefined; readonly journalEntries: number };
}

/** Gives a finding for each name in `checks`. A `CommandFailure` is a finding of the first. */
export interface Check<Subject extends readonly unknown[]> {
  readonly checks: readonly [DoctorCheck, ...DoctorCheck[]];
  readonly look: (...subject: Subject) => Findings | Promise<Findings>;
}

export type Findings = Finding | readonly Finding[];

const withStatus =
  (status: Finding['status']) =>
  (check: DoctorCheck, message: string, ...remedies: readonly string[]): Finding => ({
    check,
    status,
    message,
    remedies,
  });

export const ok = withStatus('ok');
export const warning = withStatus('warning');
export const failed = withStatus('error');
export const skipped = withStatus('skipped');

/** Looks, and turns what went wrong, foreseen or not, into findings: it must not hide what other checks find. */
export async function lookSafely<Subject extends readonly unknown[]>(
  { debug, note, flags }: Pick<CommandContext, 'debug' | 'note' | 'flags'>,
  { checks: [first, ...others], look }: Check<Subject>,
  ...subject: Subject
): Promise<readonly Finding[]> {
  try {
    return [await look(...subject)].flat();
  } catch (cause) {
    const left = others.map((check) => skipped(check, `the check before it failed: ${first}`));
    if (cause instanceof CommandFailure) return [failedWith(first, cause.problems, flags), ...left];
    if (debug) note(renderCrash(cause, debug));
    const message = `this could not be checked: ${(cause as Error).message}`;
    return [failed(first, message, 'run it again with --debug and report it'), ...left];
  }
}

/** The first of the problems with its place and its way out, and how many there are. */
function failedWith(check: DoctorCheck, problems: readonly Diagnostic[], flags: string): Finding {
  const [{ message, hint, location, subject } = explained('', '')] = explainProblems(problems, flags);
  const count = problems.length > 1 ? `${problems.length} problems; the first: ` : '';
  const at = location?.source.positionAt(location.start);
  const place = location && at ? `${location.source.path}:${at.line}:${at.column}` : subject;
  const where = place === undefined ? '' : ` (${place})`;
  const lister = check === 'catalog' ? 'validate' : 'plan';
  const all = problems.length > 1 ? [`to see them all: trove ${lister}${flags}`] : [];
  return failed(check, `${count}${message}${where}`, ...(hint === undefined ? [] : [hint]), ...all);
}

/** For a remedy. Every environment but `local` has a file. */
export function fileOf({ document, name }: Environment): string {
  return document?.source.path ?? `the file of environment ${name}`;
}
