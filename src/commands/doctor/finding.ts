import type { Catalog } from '../../catalog/model.ts';
import type { Environment } from '../../environment/model.ts';
import { renderCrash } from '../../render/diagnostics.ts';
import type { DoctorCheck, Finding, Found, FoundCode } from '../../render/model.ts';
import type { State } from '../../state/model.ts';
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
  /** This machine had a state that is gone. */
  isLost?: boolean;
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
  <Code extends FoundCode>(check: DoctorCheck, code: Code, values: Found[Code]) =>
    ({ check, status, code, ...(values as object) }) as Finding;

export const ok = withStatus('ok');
export const warning = withStatus('warning');
export const failed = withStatus('error');
export const skipped = withStatus('skipped');

/** Looks, and turns what went wrong, foreseen or not, into findings: it must not hide what other checks find. */
export async function lookSafely<Subject extends readonly unknown[]>(
  { debug, note }: Pick<CommandContext, 'debug' | 'note'>,
  { checks: [first, ...others], look }: Check<Subject>,
  ...subject: Subject
): Promise<readonly Finding[]> {
  try {
    return [await look(...subject)].flat();
  } catch (cause) {
    const left = others.map((check) => skipped(check, 'failed-before', { before: first }));
    if (cause instanceof CommandFailure)
      return [failed(first, 'problems', { problems: cause.problems }), ...left];
    if (debug) note(renderCrash(cause, debug));
    return [failed(first, 'broken', { cause: (cause as Error).message }), ...left];
  }
}

/** For a remedy. */
export function fileOf({ document }: Environment): string | undefined {
  return document?.source.path;
}
