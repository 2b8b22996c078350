import type { DoctorCheck, Finding } from '../../render/doctor-text.ts';
import type { CommandContext } from '../context.ts';
import { checkBaseUrl } from './check-base-url.ts';
import { checkCatalog } from './check-catalog.ts';
import { checkCredentials } from './check-credentials.ts';
import { checkEnvironment } from './check-environment.ts';
import { checkGit } from './check-git.ts';
import { checkNode } from './check-node.ts';
import { checkProfile } from './check-profile.ts';
import { checkRecords } from './check-records.ts';
import { checkService } from './check-service.ts';
import { checkState } from './check-state.ts';
import { failed, type Looked, skipped } from './finding.ts';

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
  const catalog = await guarded(['catalog'], () => checkCatalog(context));
  const inputs = await guarded(['environment'], () => checkEnvironment(context, catalog.value));
  const environment = inputs.value;
  if (!environment) {
    const without = ofEnvironment.map((check) => skipped(check, "the environment can't be used"));
    return [node, ...catalog.findings, ...inputs.findings, ...without];
  }
  const credentials = await guarded(['credentials'], () => checkCredentials(environment, options, context));
  const state = await guarded(['state', 'lock', 'journal'], () => checkState(environment, context));
  const service = await guarded(['service', 'team'], () =>
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
    checkProfile(environment),
    ...(await guarded(['git'], () => checkGit(environment, context))).findings,
  ];
}

/** What nobody foresaw in one check must not hide what the others find. */
async function guarded<T>(
  checks: readonly [DoctorCheck, ...DoctorCheck[]],
  look: () => Promise<Looked<T>>,
): Promise<Looked<T>> {
  try {
    return await look();
  } catch (cause) {
    const [first, ...rest] = checks;
    const message = `this could not be checked: ${(cause as Error).message}`;
    const others = rest.map((check) => skipped(check, 'the check before it failed'));
    return { findings: [failed(first, message, 'run it again with --debug and report it'), ...others] };
  }
}
