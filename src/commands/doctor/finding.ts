import type { Environment } from '../../environment/model.ts';
import { renderCrash } from '../../render/diagnostics.ts';
import type { DoctorCheck, Finding } from '../../render/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import type { CommandContext } from '../context.ts';

/** What a check found, and what the checks after it need of it; no value where they have to be left out. */
export interface CheckResult<T = undefined> {
  readonly findings: readonly Finding[];
  readonly value?: T;
}

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

/** The first of the problems with its place and its way out, and how many there are; `rest` is what to do besides. */
export function failFrom(
  check: DoctorCheck,
  diagnostics: readonly Diagnostic[],
  ...rest: readonly string[]
): Finding {
  const [{ message, hint, location, subject } = error('', '')] = diagnostics;
  const count = diagnostics.length > 1 ? `${diagnostics.length} problems; the first: ` : '';
  const at = location?.source.positionAt(location.start);
  const place = location && at ? `${location.source.path}:${at.line}:${at.column}` : subject;
  const where = place === undefined ? '' : ` (${place})`;
  return failed(check, `${count}${message}${where}`, ...(hint === undefined ? [] : [hint]), ...rest);
}

/** For a remedy. Every environment but `local` has a file. */
export function fileOf({ document, name }: Environment): string {
  return document?.source.path ?? `the file of environment ${name}`;
}

/**
 * Looks, and turns what nobody foresaw into a finding of the first of `checks`, which `look` stands for: it must not
 * hide what other checks find.
 */
export async function guarded<T>(
  { debug, note }: Pick<CommandContext, 'debug' | 'note'>,
  checks: readonly [DoctorCheck, ...DoctorCheck[]],
  look: () => Promise<CheckResult<T>>,
): Promise<CheckResult<T>> {
  try {
    return await look();
  } catch (cause) {
    if (debug) note(renderCrash(cause, debug));
    const [first, ...rest] = checks;
    const message = `this could not be checked: ${(cause as Error).message}`;
    const others = rest.map((check) => skipped(check, 'the check before it failed'));
    return { findings: [failed(first, message, 'run it again with --debug and report it'), ...others] };
  }
}
