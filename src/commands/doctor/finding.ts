import { renderCrash } from '../../render/diagnostics.ts';
import type { DoctorCheck, Finding } from '../../render/model.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { CommandContext } from '../context.ts';

/** What a check found, and what the checks after it need of it; no value where they have to be left out. */
export interface CheckResult<T = undefined> {
  readonly findings: readonly Finding[];
  readonly value?: T;
}

export function ok(check: DoctorCheck, message: string): Finding {
  return { check, status: 'ok', message, remedies: [] };
}

export function warning(check: DoctorCheck, message: string, ...remedies: readonly string[]): Finding {
  return { check, status: 'warning', message, remedies };
}

export function failed(check: DoctorCheck, message: string, ...remedies: readonly string[]): Finding {
  return { check, status: 'error', message, remedies };
}

export function skipped(check: DoctorCheck, message: string, ...remedies: readonly string[]): Finding {
  return { check, status: 'skipped', message, remedies };
}

/** The first of the problems with its place and its way out, and how many there are; `rest` is what to do besides. */
export function failFrom(
  check: DoctorCheck,
  diagnostics: readonly Diagnostic[],
  ...rest: readonly string[]
): Finding {
  const [first] = diagnostics;
  if (!first) throw new Error('A failure names at least one problem.');
  const count = diagnostics.length > 1 ? `${diagnostics.length} problems; the first: ` : '';
  const place = placeOf(first);
  const message = `${count}${first.message}${place === undefined ? '' : ` (${place})`}`;
  return failed(check, message, ...(first.hint === undefined ? [] : [first.hint]), ...rest);
}

function placeOf({ location, subject }: Diagnostic): string | undefined {
  if (!location) return subject;
  const { line, column } = location.source.positionAt(location.start);
  return `${location.source.path}:${line}:${column}`;
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
