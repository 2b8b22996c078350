import { shownPath } from '../catalog/find.ts';
import { type ProfilePoint, profilePoints } from '../contract/profile.ts';
import { readCredentials } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import { joinInputs } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import type { EnvironmentFile } from '../environment/schema.ts';
import { dependent } from '../probe/model.ts';
import { renderFindings } from '../render/command-texts.ts';
import { explainProblems } from '../render/messages/explain-problem.ts';
import { doctorChecks, type Finding } from '../render/model.ts';
import { renderJson } from '../render/terminal.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { readPassword } from './client.ts';
import type { CommandContext } from './context.ts';
import { checkService } from './doctor/check-service.ts';
import { checkJournal, checkLock, checkRecords, checkState } from './doctor/check-state.ts';
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
  context.print(format === 'json' ? renderJson(findings) : renderFindings(findings, context.color.stdout));
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
    else findings.push(...check.checks.map((each) => skipped(each, "the environment can't be used")));
  }
  return doctorChecks.flatMap((name) => findings.filter(({ check }) => check === name));
}

/** The oldest Node that Trove is tested on, as in `engines` of package.json. */
const OLDEST = { major: 20, minor: 19 };

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  const oldest = `${OLDEST.major}.${OLDEST.minor}`;
  if (isEnough) return ok('node', version);
  return failed('node', `${version} is too old for Trove`, `install Node ${oldest} or later`);
}

async function checkCatalog(examination: Examination): Promise<Finding> {
  const catalog = orFail(await loadCatalogOnly(examination.context));
  examination.catalog = catalog;
  const { classifiers, items, fileCount, folder } = catalog;
  const declared = `${pluralize(classifiers.size, 'classifier')} and ${pluralize(items.size, 'item')}`;
  return ok('catalog', `${folder} is valid: ${declared} in ${pluralize(fileCount, 'file')}`);
}

/** The environment's file, and whether it names all that the catalog needs. What is only missing there harms no check. */
async function checkEnvironment(examination: Examination): Promise<Finding> {
  const { context, catalog } = examination;
  const environment = orFail(await loadEnvironmentOnly(context));
  examination.environment = environment;
  if (catalog) orFail(joinInputs(catalog, environment, { variables: context.io.env }));
  const file = environment.document ? `${fileOf(environment)} is valid` : 'it needs no file';
  return ok('environment', `${context.environmentName}: ${file}`);
}

/** Whether what is sent can be read on the way. A valid environment only says http where it insists on it. */
function checkBaseUrl({ service, dataFolder }: Environment, { context: { io } }: Examination): Finding {
  if (service.kind === 'embedded')
    return ok('base-url', `the embedded service, with its data in ${shownPath(dataFolder, io.cwd)}`);
  const { baseUrl } = service;
  if (baseUrl.startsWith('https:')) return ok('base-url', `${baseUrl}, encrypted`);
  if ('url' in normalBaseUrl(baseUrl, false)) return ok('base-url', `${baseUrl}, on this machine`);
  const message = `${baseUrl}: anybody on the way can read the credentials`;
  return warning('base-url', message, 'use https, and remove `allowInsecureHttp`');
}

/** Whether the variables hold credentials. */
async function checkCredentials(environment: Environment, examination: Examination): Promise<Finding> {
  const { passwordStdin, context } = examination;
  const { env, stdin } = context.io;
  if (environment.service.kind === 'embedded') {
    examination.variables = env;
    return ok('credentials', 'the embedded service needs none');
  }
  const { usernameFrom, passwordFrom } = environment.credentials;
  const password = passwordStdin ? await readPassword(stdin) : undefined;
  if (password?.ok === false) {
    const what = password.diagnostics.map(({ message }) => message).join('; ');
    return failed('credentials', what, 'pipe the password alone into trove');
  }
  const variables = password ? { ...env, [passwordFrom]: password.value } : env;
  const read = readCredentials(environment, variables);
  if (!read.ok) return failed('credentials', ...said(read.diagnostics, environment, context.flags));
  examination.variables = variables;
  const message = passwordStdin
    ? `${usernameFrom} is set, and the password came from standard input`
    : `${usernameFrom} and ${passwordFrom} are set`;
  return ok('credentials', message);
}

/** What is wrong, then what to do. Messages name variables and never hold their values. */
function said(
  problems: readonly Diagnostic[],
  environment: Environment,
  flags: string,
): readonly [string, string] {
  const unset = problems.filter(({ rule }) => rule === 'missing-credentials');
  const others = problems.filter((problem) => !unset.includes(problem));
  const unfit = explainProblems(others, flags).map(({ message }) => message);
  const missing = `${subjects(unset)} ${unset.length > 1 ? 'are' : 'is'} not set`;
  const remedy = `set ${subjects(problems)}, or name other variables below \`credentials\` in ${fileOf(environment)}`;
  return [[...(unset.length > 0 ? [missing] : []), ...unfit].join('; '), remedy];
}

function subjects(problems: readonly Diagnostic[]): string {
  return [...new Set(problems.map(({ subject }) => subject))].join(' and ');
}

/** How much Trove may rely on where the API is silent. */
function checkProfile(environment: Environment, { context, recorded }: Examination): Finding {
  const { profile, service, document } = environment;
  if (service.kind === 'embedded') return ok('profile', 'what the embedded service does is known');
  const points = Object.keys(profilePoints) as ProfilePoint[];
  const { profile: named = {} } = (document?.value ?? {}) as EnvironmentFile;
  // `unsupported` may be what somebody found out; if nobody has said it, it only means that nobody knows.
  const told = (point: ProfilePoint) => (Object.hasOwn(named, point) ? profile[point] : undefined);
  const untold = points.filter((point) => told(point) === undefined);
  const unset = points.filter(
    (point) => (untold.includes(point) || profile[point] === 'unknown') && !dependent(point, told),
  );
  const all =
    untold.length === 0 ? `all ${points.length} points are set` : 'every point that can be told is set';
  if (unset.length === 0) return ok('profile', all);
  const are = unset.length === 1 ? 'is not set; what would need it' : 'are not set; what would need them';
  const isFirst = recorded && !recorded.state;
  const first = isFirst ? ' --new-environment' : '';
  return warning(
    'profile',
    `${unset.length} of ${pluralize(points.length, 'point')} ${are} is blocked`,
    `to find out by experiment${isFirst ? ', if the team is new' : ''}: trove probe${context.flags}${first}`,
    `or set what is known below \`profile\` in ${fileOf(environment)} (docs/profile.md)`,
  );
}

/** Whether git leaves alone what belongs to one machine: the journal and the lock beside the state. */
async function checkGit({ state }: Environment, { context }: Examination): Promise<Finding> {
  const files = [`${state.path}.journal`, `${state.path}.lock`];
  const ignored = await countIgnored(files, context);
  if (ignored === undefined)
    return skipped('git', 'the catalog is in no git checkout, or git is not installed');
  if (ignored === files.length) return ok('git', 'ignores journal and lock of the state');
  const message = 'does not ignore journal and lock of the state, which belong to this machine';
  return warning('git', message, 'add the lines *.journal and *.lock to .gitignore');
}
