import type { DoctorCheck, Finding } from '../../render/model.ts';
import type { CommandContext } from '../invocation/context.ts';
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
import { skipped } from './finding.ts';
import { guarded } from './guarded.ts';

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
