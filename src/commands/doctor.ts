import { renderFindings, renderFindingsJson } from '../render/doctor-text.ts';
import { doctorChecks, type Finding } from '../render/model.ts';
import type { CommandContext } from './context.ts';
import { checkService } from './doctor/check-service.ts';
import {
  checkBaseUrl,
  checkCatalog,
  checkCredentials,
  checkEnvironment,
  checkGit,
  checkNode,
  checkProfile,
} from './doctor/check-setup.ts';
import { checkRecords, checkState } from './doctor/check-state.ts';
import { guarded, skipped } from './doctor/finding.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly passwordStdin?: boolean;
}

/** `trove doctor`: everything that can be checked without a write, and what to do next. Takes no lock, never asks. */
export async function doctor(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const findings = await examine(context, options);
  context.print(
    options.format === 'json' ? renderFindingsJson(findings) : renderFindings(findings, context.color.stdout),
  );
  // What is wrong outranks creates with an unknown outcome; a warning alone is no failure.
  if (findings.some(({ status }) => status === 'error')) return exitCode.error;
  const unknown = findings.some(({ check, status }) => check === 'unknown' && status === 'warning');
  return unknown ? exitCode.unknown : exitCode.done;
}

/** Makes every check, in the order of `doctorChecks`. One that fails keeps only those from running that need its result. */
async function examine(context: CommandContext, options: DoctorOptions): Promise<readonly Finding[]> {
  const catalog = await guarded(context, ['catalog'], () => checkCatalog(context));
  const inputs = await guarded(context, ['environment'], () => checkEnvironment(context, catalog.value));
  const before = [checkNode(context.io.nodeVersion), ...catalog.findings, ...inputs.findings];
  const environment = inputs.value;
  if (!environment) {
    const without = doctorChecks.slice(before.length);
    return [...before, ...without.map((check) => skipped(check, "the environment can't be used"))];
  }
  const credentials = await guarded(context, ['credentials'], () =>
    checkCredentials(environment, options, context),
  );
  const state = await guarded(context, ['state', 'lock', 'journal'], () => checkState(environment, context));
  const service = await guarded(context, ['service', 'team'], async () => ({
    findings: await checkService(environment, credentials.value, state.value, context),
  }));
  const git = await guarded(context, ['git'], async () => ({
    findings: [await checkGit(environment, context)],
  }));
  return [
    ...before,
    checkBaseUrl(environment, context),
    ...credentials.findings,
    ...service.findings,
    ...state.findings,
    ...checkRecords(state.value, context.flags),
    checkProfile(environment, state.value, context.flags),
    ...git.findings,
  ];
}
