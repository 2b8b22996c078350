import { renderFindings, renderFindingsJson } from '../render/doctor-text.ts';
import type { DoctorCheck, Finding } from '../render/model.ts';
import type { CommandContext } from './context.ts';
import { checkProfile, checkService } from './doctor/check-service.ts';
import {
  checkBaseUrl,
  checkCatalog,
  checkCredentials,
  checkEnvironment,
  checkGit,
  checkNode,
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
  return doctorExitCode(findings);
}

/** What has to be put right first outranks creates whose outcome nobody saw; a warning alone is no failure. */
function doctorExitCode(findings: readonly Finding[]): ExitCode {
  if (findings.some(({ status }) => status === 'error')) return exitCode.error;
  const unknown = findings.some(({ check, status }) => check === 'unknown' && status === 'warning');
  return unknown ? exitCode.unknown : exitCode.done;
}

const ofEnvironment: readonly DoctorCheck[] = [
  'base-url',
  'credentials',
  'service',
  'team',
  'state',
  'lock',
  'journal',
  'unknown',
  'unconfirmed',
  'imported',
  'diverged',
  'profile',
  'git',
];

/**
 * Makes every check and gives what each found, in the order of `DoctorCheck`. No check keeps another from being
 * made: one that fails by itself says so, and what needs its result is skipped.
 */
export async function examine(
  context: CommandContext,
  options: { readonly passwordStdin?: boolean },
): Promise<readonly Finding[]> {
  const node = checkNode(context.io.nodeVersion);
  const catalog = await guarded(context, ['catalog'], () => checkCatalog(context));
  const inputs = await guarded(context, ['environment'], () => checkEnvironment(context, catalog.value));
  const environment = inputs.value;
  if (!environment) {
    const without = ofEnvironment.map((check) => skipped(check, "the environment can't be used"));
    return [node, ...catalog.findings, ...inputs.findings, ...without];
  }
  const credentials = await guarded(context, ['credentials'], () =>
    checkCredentials(environment, options, context),
  );
  const state = await guarded(context, ['state', 'lock', 'journal'], () => checkState(environment, context));
  const service = await guarded(context, ['service', 'team'], () =>
    checkService(environment, credentials.value, state.value, context),
  );
  return [
    node,
    ...catalog.findings,
    ...inputs.findings,
    checkBaseUrl(environment, context),
    ...credentials.findings,
    ...service.findings,
    ...state.findings,
    ...checkRecords(state.value, context.flags),
    checkProfile(environment, state.value, context.flags),
    ...(await guarded(context, ['git'], () => checkGit(environment, context))).findings,
  ];
}
