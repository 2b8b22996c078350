import { isRecordId } from '../contract/api.ts';
import { credentialNames } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import { findEnvironment, nameProblem } from '../environment/find.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { settingQuestions } from '../render/questions.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly, namesOf, readEach } from './environments.ts';
import { fail, failOn, refuse } from './exit-code.ts';
import { converse, hasTerminal } from './prompt.ts';
import { isSameTeam } from './state.ts';

type Field = keyof typeof settingQuestions;

/** The problem never has the value, which may be a misplaced secret. */
type Check = (value: string, allowInsecureHttp?: boolean) => Diagnostic | undefined;

/** What a value of each has to be. */
export const checks: Readonly<Record<Field, Check>> = {
  baseUrl: urlProblem,
  teamId: (value) => (value === '' ? error('invalid-setting', { why: 'no-team' }) : idProblem(value)),
  userId: (value) => (value === '' ? undefined : idProblem(value)),
  usernameFrom: variableProblem,
  passwordFrom: variableProblem,
};

type Values = Readonly<Partial<Record<Field, string>>>;

export interface SettingFlags extends Values {
  readonly from?: string;
  readonly service?: 'embedded';
}

const fields = Object.keys(checks) as readonly Field[];

/** Why a new environment can't have this name. */
export function newNameProblem(name: string): Diagnostic | undefined {
  return name === 'local' ? error('environment-name', { name }) : nameProblem(name);
}

/** Refuses a name that a new environment can't have. `shown` is the path of its file. */
export async function refuseName(
  name: string,
  catalogFolder: string,
  shown: string,
  cwd: string,
): Promise<void> {
  const problem = newNameProblem(name);
  if (problem) fail([problem]);
  const there = await findEnvironment(name, catalogFolder, cwd);
  if (there.ok) environmentExists(shown);
  else failOn(there.diagnostics.filter(({ rule }) => rule !== 'unknown-environment'));
}

/**
 * Refuses a new environment if another one is the same team or has its state: both would create everything again. One
 * that is not valid may be that team, so its problems count too.
 */
export async function refuseTaken(environment: Environment, context: CommandContext): Promise<void> {
  const { service, state } = environment;
  const others = await readEach(await namesOf(context), context, loadEnvironmentOnly);
  for (const other of others) {
    const { name } = other;
    if (other.state.path === state.path) refuse('same-state', { environment: name }, { subject: state.path });
    if (service.kind === 'remote' && isSameTeam(other, environment))
      refuse('same-team', { environment: name });
  }
}

export function environmentExists(subject: string): never {
  return refuse('environment-exists', {}, { subject });
}

/** The settings of a new environment: from flags, from the environment that it copies, and from a person. */
export async function gatherSettings(
  name: string,
  flags: SettingFlags,
  from: Environment | undefined,
  context: CommandContext,
): Promise<TeamSettings> {
  const isEmbedded =
    flags.service === 'embedded' || (flags.baseUrl === undefined && from?.service.kind === 'embedded');
  const problems = flagProblems(flags, isEmbedded, from);
  failOn(problems);
  if (isEmbedded) return { name, service: { kind: 'embedded' }, ...idsIn(flags) };
  const fallbacks: Values = {
    ...(from?.service.kind === 'remote' && { baseUrl: from.service.baseUrl }),
    ...credentialNames(name),
  };
  const given = { ...fallbacks, ...flags };
  const isKnown = given.baseUrl !== undefined && given.teamId !== undefined;
  if (!isKnown && !hasTerminal(context)) missingSettings(given);
  const values = isKnown ? given : { ...flags, ...(await ask(flags, fallbacks, from, context)) };
  return remoteSettings(name, values, from?.allowInsecureHttp);
}

function ask(
  flags: SettingFlags,
  fallbacks: Values,
  from: Environment | undefined,
  context: CommandContext,
): Promise<Values> {
  return converse(context, async (ask) => {
    const answers: Partial<Record<Field, string>> = {};
    for (const field of fields.filter((each) => flags[each] === undefined)) {
      const check = (answer: string) => checks[field](answer, from?.allowInsecureHttp);
      const answer = await ask({ text: settingQuestions[field], fallback: fallbacks[field], check });
      if (answer !== '') answers[field] = answer;
    }
    return answers;
  });
}

function idsIn({ teamId, userId }: Values) {
  return { ...(teamId !== undefined && { teamId }), ...(userId && { userId }) };
}

/** Everything in `values` is checked already. */
export function remoteSettings(name: string, values: Values, allowInsecureHttp = false): TeamSettings {
  const { usernameFrom = '', passwordFrom = '' } = { ...credentialNames(name), ...values };
  const normal = normalBaseUrl(values.baseUrl ?? '', allowInsecureHttp);
  if ('problem' in normal) throw new Error('The base URL was not checked');
  const credentials = { usernameFrom, passwordFrom };
  return { name, service: { kind: 'remote', baseUrl: normal.url, credentials }, ...idsIn(values) };
}

/** Refuses an environment with missing settings if there is no terminal to prompt on. */
export function missingSettings({ baseUrl, teamId }: Values): never {
  const open = { 'base-url': baseUrl, 'team-id': teamId } as const;
  const missing = (['base-url', 'team-id'] as const).filter((each) => open[each] === undefined);
  return refuse('missing-settings', { missing });
}

/** What is wrong with the flags, each alone and, for an embedded service, together. */
export function flagProblems(flags: Values, isEmbedded = false, from?: Environment): readonly Diagnostic[] {
  const given = fields.filter((field) => flags[field] !== undefined);
  const single = given.flatMap((field) => {
    const found = checks[field](flags[field] ?? '', from?.allowInsecureHttp);
    return found ? [{ ...found, subject: flagOf(field) }] : [];
  });
  const unfit = given.filter((field) => field !== 'teamId' && field !== 'userId');
  if (!isEmbedded || unfit.length === 0) return single;
  return [error('embedded-service', { flags: unfit.map(flagOf) }), ...single];
}

/** `--base-url` */
function flagOf(field: Field): string {
  return `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function urlProblem(value: string, allowInsecureHttp = false): Diagnostic | undefined {
  const checked = normalBaseUrl(value, allowInsecureHttp);
  return 'problem' in checked
    ? error('invalid-setting', { why: 'base-url', problem: checked.problem })
    : undefined;
}

function idProblem(value: string): Diagnostic | undefined {
  const isId = isRecordId(value) && !/\p{Cc}/u.test(value);
  return isId ? undefined : error('invalid-setting', { why: 'id' });
}

function variableProblem(value: string): Diagnostic | undefined {
  return /^[A-Z_][A-Z0-9_]*$/.test(value) ? undefined : error('invalid-setting', { why: 'variable' });
}
