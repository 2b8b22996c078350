import type { DoctorCheck, Finding } from '../../render/model.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';

/** What a check found, and what the checks after it need of it; no value where they have to be left out. */
export interface Looked<T = undefined> {
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
export function broken(
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
