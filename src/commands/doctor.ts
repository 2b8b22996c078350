import { renderFindings, renderFindingsJson } from '../render/doctor-text.ts';
import type { Finding } from '../render/model.ts';
import { examine } from './doctor/examine.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';

export interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly passwordStdin?: boolean;
}

/** `trove doctor`: everything that can be checked without a write, and what to do next. Takes no lock, never asks. */
export async function doctor(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const findings = await examine(context, options);
  context.print(
    options.format === 'json' ? renderFindingsJson(findings) : renderFindings(findings, context.color.stdout),
  );
  return doctorExitCode(findings);
}

/** What has to be put right first outranks creates whose outcome nobody saw; a warning alone is no failure. */
function doctorExitCode(findings: readonly Finding[]): ExitCode {
  if (findings.some(({ status }) => status === 'error')) return exitCode.error;
  const unknown = findings.some(({ check, status }) => check === 'unknown' && status === 'warning');
  return unknown ? exitCode.unknown : exitCode.done;
}
