import { shownPath } from '../catalog/find.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import { readCredentials } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import { joinInputs } from '../environment/join-inputs.ts';
import type { Environment, EnvironmentFile } from '../environment/model.ts';
import { allPoints, dependent } from '../probe/model.ts';
import { explainFindings, renderFindings } from '../render/command-texts.ts';
import { doctorChecks, type Finding } from '../render/model.ts';
import { renderJson } from '../render/terminal.ts';
import type { CommandContext } from './context.ts';
import { readPassword } from './credentials.ts';
import { checkJournal, checkLock, checkRecords, checkService, checkState } from './doctor/checks.ts';
import {
  type Check,
  type Examination,
  failed,
  fileOf,
  lookSafely,
  ok,
  skipped,
  warning,
} from './doctor/finding.ts';
import { loadCatalogOnly, loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, orFail } from './exit-code.ts';
import { countIgnored } from './git.ts';

interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly passwordStdin?: boolean;
}

/** `trove doctor`: everything that can be checked without a write, and what to do next. Takes no lock, never asks. */
export async function doctor(
  context: CommandContext,
  { format, passwordStdin = false }: DoctorOptions,
): Promise<ExitCode> {
  const findings = await examine({ context, passwordStdin });
  const explained = explainFindings(findings, context);
  context.print(format === 'json' ? renderJson(explained) : renderFindings(explained, context.color.stdout));
  // What is wrong outranks creates with an unknown outcome; a warning alone is no failure.
  if (findings.some(({ status }) => status === 'error')) return exitCode.error;
  const unknown = findings.some(({ check, status }) => check === 'unknown' && status === 'warning');
  return unknown ? exitCode.unknown : exitCode.done;
}

const generalChecks: readonly Check<[Examination]>[] = [
  { checks: ['node'], look: ({ context }) => checkNode(context.io.nodeVersion) },
  { checks: ['catalog'], look: checkCatalog },
  { checks: ['environment'], look: checkEnvironment },
];

/** What each needs of others is found out before it. */
const environmentChecks: readonly Check<[Environment, Examination]>[] = [
  { checks: ['base-url'], look: checkBaseUrl },
  { checks: ['credentials'], look: checkCredentials },
  { checks: ['lock'], look: checkLock },
  { checks: ['state'], look: checkState },
  { checks: ['journal'], look: checkJournal },
  { checks: ['service', 'team'], look: checkService },
  ...checkRecords,
  { checks: ['profile'], look: checkProfile },
  { checks: ['git'], look: checkGit },
];

/** Makes every check. One that fails keeps only those from running that need its result. */
async function examine(examination: Examination): Promise<readonly Finding[]> {
  const { context } = examination;
  const findings: Finding[] = [];
  for (const check of generalChecks) findings.push(...(await lookSafely(context, check, examination)));
  const { environment } = examination;
  for (const check of environmentChecks) {
    if (environment) findings.push(...(await lookSafely(context, check, environment, examination)));
    else findings.push(...check.checks.map((each) => skipped(each, 'no-environment', {})));
  }
  return doctorChecks.flatMap((name) => findings.filter(({ check }) => check === name));
}

/** The oldest Node that Trove is tested on, as in `engines` of package.json. */
const OLDEST = '20.19';

export function checkNode(version: string): Finding {
  const isEnough = version.localeCompare(OLDEST, 'en', { numeric: true }) >= 0;
  return isEnough ? ok('node', 'node', { version }) : failed('node', 'old-node', { version, oldest: OLDEST });
}

async function checkCatalog(examination: Examination): Promise<Finding> {
  const catalog = orFail(await loadCatalogOnly(examination.context));
  examination.catalog = catalog;
  const { classifiers, items, fileCount, folder } = catalog;
  const counts = { classifiers: classifiers.size, items: items.size, files: fileCount };
  return ok('catalog', 'catalog', { folder, ...counts });
}

/** The environment's file, and whether it names all that the catalog needs. What is only missing there harms no check. */
async function checkEnvironment(examination: Examination): Promise<Finding> {
  const { context, catalog } = examination;
  const environment = orFail(await loadEnvironmentOnly(context));
  examination.environment = environment;
  if (catalog) orFail(joinInputs(catalog, environment, { variables: context.io.env }));
  return ok('environment', 'environment', { file: fileOf(environment) });
}

/** Whether what is sent can be read on the way. A valid environment only says http where it insists on it. */
function checkBaseUrl({ service, dataFolder }: Environment, { context: { io } }: Examination): Finding {
  if (service.kind === 'embedded')
    return ok('base-url', 'embedded-service', { folder: shownPath(dataFolder, io.cwd) });
  const { baseUrl } = service;
  if (baseUrl.startsWith('https:')) return ok('base-url', 'encrypted', { baseUrl });
  if ('url' in normalBaseUrl(baseUrl, false)) return ok('base-url', 'this-machine', { baseUrl });
  return warning('base-url', 'not-encrypted', { baseUrl });
}

/** Whether the variables hold credentials. */
async function checkCredentials(environment: Environment, examination: Examination): Promise<Finding> {
  const { passwordStdin, context } = examination;
  const { env, stdin } = context.io;
  if (environment.service.kind === 'embedded') {
    examination.variables = env;
    return ok('credentials', 'no-credentials-needed', {});
  }
  const { credentials } = environment;
  const password = passwordStdin ? await readPassword(stdin) : undefined;
  if (password?.ok === false)
    return failed('credentials', 'unusable-password', { problems: password.diagnostics });
  const variables = password ? { ...env, [credentials.passwordFrom]: password.value } : env;
  const read = readCredentials(environment, variables);
  if (!read.ok) {
    const file = fileOf(environment);
    return failed('credentials', 'unusable-credentials', { problems: read.diagnostics, file });
  }
  examination.variables = variables;
  return ok('credentials', 'credentials', { ...credentials, isPiped: passwordStdin });
}

/** How much Trove may rely on where the API is silent. */
function checkProfile(environment: Environment, { recorded, isLost }: Examination): Finding {
  const { profile, service, document } = environment;
  if (service.kind === 'embedded') return ok('profile', 'known-profile', {});
  const { profile: named = {} } = (document?.value ?? {}) as EnvironmentFile;
  // A declared `unsupported` is a finding; as the default it only means unknown.
  const told = (point: ProfilePoint) => (Object.hasOwn(named, point) ? profile[point] : undefined);
  const untold = allPoints.filter((point) => told(point) === undefined);
  const unset = allPoints.filter(
    (point) => (untold.includes(point) || profile[point] === 'unknown') && !dependent(point, told),
  );
  if (unset.length === 0)
    return ok('profile', 'profile', { points: allPoints.length, untold: untold.length });
  const isFirst = recorded !== undefined && !recorded.state;
  const probe = isFirst ? 'first' : 'again';
  const counts = { unset: unset.length, points: allPoints.length };
  const lacksAttributes = unset.includes('itemUpdate.attributes') && environment.attributes.size === 0;
  const canProbe = !isLost && !(lacksAttributes && unset.length === 1);
  return warning('profile', 'unset-points', {
    ...counts,
    ...(canProbe && { probe }),
    lacksAttributes,
    file: fileOf(environment),
  });
}

/** Whether git leaves alone what belongs to one machine: the journal and the lock beside the state. */
async function checkGit({ state }: Environment, { context }: Examination): Promise<Finding> {
  if (state.kind !== 'file') return skipped('git', 'state-elsewhere', {});
  const files = [`${state.path}.journal`, `${state.path}.lock`];
  const ignored = await countIgnored(files, context);
  if (ignored === undefined) return skipped('git', 'no-git', {});
  return ignored === files.length ? ok('git', 'ignored', {}) : warning('git', 'not-ignored', {});
}
