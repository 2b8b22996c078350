import { shownPath } from '../catalog/find.ts';
import type { Catalog } from '../catalog/model.ts';
import { type ProfilePoint, profilePoints } from '../contract/profile.ts';
import { readCredentials } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import { joinInputs } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import type { EnvironmentFile } from '../environment/schema.ts';
import { dependent } from '../probe/model.ts';
import { renderFindings } from '../render/command-texts.ts';
import { doctorChecks, type Finding } from '../render/model.ts';
import { renderJson } from '../render/terminal.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { readPassword } from './client.ts';
import type { CommandContext } from './context.ts';
import { checkService } from './doctor/check-service.ts';
import { checkRecords, checkState, type Standing } from './doctor/check-state.ts';
import {
  type CheckResult,
  failed,
  failFrom,
  fileOf,
  guarded,
  ok,
  skipped,
  warning,
} from './doctor/finding.ts';
import { loadCatalogOnly, loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { countIgnored } from './git.ts';

interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly passwordStdin?: boolean;
}

/** `trove doctor`: everything that can be checked without a write, and what to do next. Takes no lock, never asks. */
export async function doctor(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const findings = await examine(context, options);
  context.print(
    options.format === 'json' ? renderJson(findings) : renderFindings(findings, context.color.stdout),
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

/** The oldest Node that Trove is tested on, as in `engines` of package.json. */
const OLDEST = { major: 20, minor: 19 };

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  const oldest = `${OLDEST.major}.${OLDEST.minor}`;
  if (isEnough) return ok('node', version);
  return failed('node', `${version} is too old for Trove`, `install Node ${oldest} or later`);
}

async function checkCatalog(context: CommandContext): Promise<CheckResult<Catalog>> {
  const loaded = await loadCatalogOnly(context);
  if (!loaded.ok) {
    const all = loaded.diagnostics.length > 1 ? [`to see them all: trove validate${context.flags}`] : [];
    return { findings: [failFrom('catalog', loaded.diagnostics, ...all)] };
  }
  const { classifiers, items, fileCount, folder } = loaded.value;
  const declared = `${pluralize(classifiers.size, 'classifier')} and ${pluralize(items.size, 'item')}`;
  const message = `${folder} is valid: ${declared} in ${pluralize(fileCount, 'file')}`;
  return { findings: [ok('catalog', message)], value: loaded.value };
}

/** The environment's file, and whether it names all that the catalog needs. What is only missing there harms no check. */
export async function checkEnvironment(
  context: CommandContext,
  catalog: Catalog | undefined,
): Promise<CheckResult<Environment>> {
  const loaded = await loadEnvironmentOnly(context);
  const joined =
    loaded.ok && catalog ? joinInputs(catalog, loaded.value, { variables: context.io.env }) : loaded;
  const usable = loaded.ok ? { value: loaded.value } : {};
  if (!joined.ok) {
    const all = joined.diagnostics.length > 1 ? [`to see them all: trove plan${context.flags}`] : [];
    return { findings: [failFrom('environment', joined.diagnostics, ...all)], ...usable };
  }
  const file = usable.value?.document ? `${fileOf(usable.value)} is valid` : 'it needs no file';
  return { findings: [ok('environment', `${context.environmentName}: ${file}`)], ...usable };
}

/** Whether what is sent can be read on the way. A valid environment only says http where it insists on it. */
export function checkBaseUrl({ service, dataFolder }: Environment, { io }: CommandContext): Finding {
  if (service.kind === 'embedded')
    return ok('base-url', `the embedded service, with its data in ${shownPath(dataFolder, io.cwd)}`);
  const { baseUrl } = service;
  if (baseUrl.startsWith('https:')) return ok('base-url', `${baseUrl}, encrypted`);
  if ('url' in normalBaseUrl(baseUrl, false)) return ok('base-url', `${baseUrl}, on this machine`);
  const message = `${baseUrl}: anybody on the way can read the credentials`;
  return warning('base-url', message, 'use https, and remove `allowInsecureHttp`');
}

/** Whether the variables hold credentials; gives them all with the password from standard input, if it comes from there. */
export async function checkCredentials(
  environment: Environment,
  { passwordStdin = false }: { readonly passwordStdin?: boolean },
  { io }: CommandContext,
): Promise<CheckResult<NodeJS.ProcessEnv>> {
  if (environment.service.kind === 'embedded')
    return { findings: [ok('credentials', 'the embedded service needs none')], value: io.env };
  const { usernameFrom, passwordFrom } = environment.credentials;
  const password = passwordStdin ? await readPassword(io.stdin) : undefined;
  if (password?.ok === false) {
    const what = password.diagnostics.map(({ message }) => message).join('; ');
    return { findings: [failed('credentials', what, 'pipe the password alone into trove')] };
  }
  const variables = password ? { ...io.env, [passwordFrom]: password.value } : io.env;
  const read = readCredentials(environment, variables);
  if (!read.ok) return { findings: [failed('credentials', ...said(read.diagnostics, environment))] };
  const message = passwordStdin
    ? `${usernameFrom} is set, and the password came from standard input`
    : `${usernameFrom} and ${passwordFrom} are set`;
  return { findings: [ok('credentials', message)], value: variables };
}

/** What is wrong, then what to do. Messages name variables and never hold their values. */
function said(problems: readonly Diagnostic[], environment: Environment): readonly [string, string] {
  const unset = problems.filter(({ rule }) => rule === 'missing-credentials');
  const unfit = problems.filter((problem) => !unset.includes(problem)).map(({ message }) => message);
  const missing = `${subjects(unset)} ${unset.length > 1 ? 'are' : 'is'} not set`;
  const remedy = `set ${subjects(problems)}, or name other variables below \`credentials\` in ${fileOf(environment)}`;
  return [[...(unset.length > 0 ? [missing] : []), ...unfit].join('; '), remedy];
}

function subjects(problems: readonly Diagnostic[]): string {
  return [...new Set(problems.map(({ subject }) => subject))].join(' and ');
}

/** How much Trove may rely on where the API is silent. */
function checkProfile(environment: Environment, standing: Standing | undefined, flags: string): Finding {
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
  const isFirst = standing && !standing.state;
  const first = isFirst ? ' --new-environment' : '';
  return warning(
    'profile',
    `${unset.length} of ${pluralize(points.length, 'point')} ${are} is blocked`,
    `to find out by experiment${isFirst ? ', if the team is new' : ''}: trove probe${flags}${first}`,
    `or set what is known below \`profile\` in ${fileOf(environment)} (docs/profile.md)`,
  );
}

/** Whether git leaves alone what belongs to one machine: the journal and the lock beside the state. */
async function checkGit({ state }: Environment, context: CommandContext): Promise<Finding> {
  const files = [`${state.path}.journal`, `${state.path}.lock`];
  const ignored = await countIgnored(files, context);
  if (ignored === undefined)
    return skipped('git', 'the catalog is in no git checkout, or git is not installed');
  if (ignored === files.length) return ok('git', 'ignores journal and lock of the state');
  const message = 'does not ignore journal and lock of the state, which belong to this machine';
  return warning('git', message, 'add the lines *.journal and *.lock to .gitignore');
}
