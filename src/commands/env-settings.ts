import { isRecordId } from '../contract/limits.ts';
import { credentialNames } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import { findEnvironment, nameProblem } from '../environment/find.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { explainProblems } from '../render/messages/explain-problem.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { fail, refuse } from './exit-code.ts';
import { converse, hasTerminal, type Problem } from './prompt.ts';

interface Setting {
  readonly flag: string;
  readonly question: string;
  /** Never repeats the value, which may be a secret that somebody put in its place. */
  readonly check: (value: string, allowInsecureHttp?: boolean) => Problem | undefined;
}

export const settings = {
  baseUrl: { flag: '--base-url', question: 'Base URL of the service', check: urlProblem },
  teamId: { flag: '--team-id', question: 'Id of the team', check: idProblem },
  userId: {
    flag: '--user-id',
    question: 'Id of a user whose spaces are read first (may stay empty)',
    check: (value) => (value === '' ? undefined : idProblem(value)),
  },
  usernameFrom: {
    flag: '--username-from',
    question: 'Variable that holds the username',
    check: variableProblem,
  },
  passwordFrom: {
    flag: '--password-from',
    question: 'Variable that holds the password',
    check: variableProblem,
  },
} satisfies Readonly<Record<string, Setting>>;

type Values = Readonly<Partial<Record<keyof typeof settings, string>>>;

export interface SettingFlags extends Values {
  readonly from?: string;
  readonly service?: 'embedded';
}

const fields = Object.keys(settings) as readonly (keyof typeof settings)[];

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
  if (there.kind === 'file') environmentExists(shown);
  if (there.kind === 'problem' && there.problem.rule !== 'unknown-environment') fail([there.problem]);
}

export function environmentExists(subject: string): never {
  const hint = 'take another name, or remove the file first; nothing was written';
  return refuse('environment-exists', 'there is a file already', { subject, hint });
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
  if (problems.length > 0) fail(problems);
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
    const answers: Partial<Record<keyof Values, string>> = {};
    for (const field of fields.filter((each) => flags[each] === undefined)) {
      const { question, check }: Setting = settings[field];
      const isValid = (answer: string) => check(answer, from?.allowInsecureHttp);
      const answer = await ask({ text: question, fallback: fallbacks[field], check: isValid });
      if (answer !== '') answers[field] = answer;
    }
    return answers;
  });
}

function idsIn({ teamId, userId }: Values) {
  return { ...(teamId !== undefined && { teamId }), ...(userId !== undefined && { userId }) };
}

/** Everything in `values` is checked already. */
export function remoteSettings(name: string, values: Values, allowInsecureHttp = false): TeamSettings {
  const { usernameFrom = '', passwordFrom = '' } = { ...credentialNames(name), ...values };
  const normal = normalBaseUrl(values.baseUrl ?? '', allowInsecureHttp);
  if ('problem' in normal) throw new Error('The base URL was not checked');
  const credentials = { usernameFrom, passwordFrom };
  return { name, service: { kind: 'remote', baseUrl: normal.url, credentials }, ...idsIn(values) };
}

/** Refuses an environment of which nobody can be asked what it lacks. */
export function missingSettings({ baseUrl, teamId }: Values): never {
  const open = [
    ...(baseUrl === undefined ? [['the base URL of the service', '--base-url URL']] : []),
    ...(teamId === undefined ? [['the id of the team', '--team-id ID']] : []),
  ];
  const what = open.map(([name]) => name).join(' and ');
  const hint = `add ${open.map(([, flag]) => flag).join(' ')}`;
  return refuse('missing-settings', `without a terminal nothing is asked, and ${what} must be known`, {
    hint,
  });
}

/** What is wrong with the flags, each by itself and, of an embedded service, together. */
export function flagProblems(flags: Values, isEmbedded = false, from?: Environment): readonly Diagnostic[] {
  const given = fields.filter((field) => flags[field] !== undefined);
  const single = given.flatMap((field) => {
    const { flag: subject, check }: Setting = settings[field];
    const found = check(flags[field] ?? '', from?.allowInsecureHttp);
    const { message = '', hint } = found ?? {};
    return found ? [error('invalid-setting', message, { ...(hint && { hint }), subject })] : [];
  });
  const unfit = given.filter((field) => field !== 'teamId' && field !== 'userId');
  if (!isEmbedded || unfit.length === 0) return single;
  const message = `the embedded service has neither an address nor credentials, and ${unfit.map((field) => settings[field].flag).join(', ')} was given`;
  const hint = 'leave it out, or name a service with --base-url';
  return [error('embedded-service', message, { hint }), ...single];
}

function urlProblem(value: string, allowInsecureHttp = false): Problem | undefined {
  const checked = normalBaseUrl(value, allowInsecureHttp);
  return 'problem' in checked ? inWords(error('base-url', checked.problem)) : undefined;
}

/** What to say to an answer. */
export function inWords(problem: Diagnostic | undefined): Problem | undefined {
  return problem && explainProblems([problem], '')[0];
}

function idProblem(value: string): Problem | undefined {
  if (isRecordId(value) && !/\p{Cc}/u.test(value)) return undefined;
  return { message: 'an id has 1 to 191 characters, on one line', hint: 'as the service answers it' };
}

function variableProblem(value: string): Problem | undefined {
  if (/^[A-Z_][A-Z0-9_]*$/.test(value)) return undefined;
  const message =
    'this is not the name of a variable: upper-case letters, digits and _, not beginning with a digit';
  return { message, hint: 'give the name of the variable, never the value that it holds' };
}
