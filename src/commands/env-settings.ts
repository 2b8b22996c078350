import { isRecordId } from '../contract/limits.ts';
import { credentialNames } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { fail } from './exit-code.ts';
import { converse, hasTerminal } from './prompt.ts';

/** What is wrong with a value. It is never repeated, since it may be a secret that somebody put in its place. */
interface SettingProblem {
  readonly problem: string;
  readonly hint: string;
}

interface Setting {
  readonly flag: string;
  readonly question: string;
  readonly check: (value: string, allowInsecureHttp?: boolean) => SettingProblem | undefined;
}

export const settings = {
  baseUrl: { flag: '--base-url', question: 'Base URL of the service', check: urlProblem },
  teamId: { flag: '--team-id', question: 'Id of the team', check: idProblem },
  userId: {
    flag: '--user-id',
    question: 'Id of a user whose spaces are read first (may stay empty)',
    check: idProblem,
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

type SettingField = keyof typeof settings;
type Values = Readonly<Partial<Record<SettingField, string>>>;

export interface SettingFlags extends Values {
  readonly from?: string;
  readonly service?: 'embedded';
}

const fields = Object.keys(settings) as readonly SettingField[];

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
  if (given.baseUrl !== undefined && given.teamId !== undefined) return remote(name, given, from);
  if (!hasTerminal(context)) fail([missing(given)]);
  return remote(name, { ...flags, ...(await ask(flags, fallbacks, from, context)) }, from);
}

function ask(
  flags: SettingFlags,
  fallbacks: Values,
  from: Environment | undefined,
  context: CommandContext,
): Promise<Values> {
  return converse(context, async (ask) => {
    const answers: Partial<Record<SettingField, string>> = {};
    for (const field of fields.filter((each) => flags[each] === undefined)) {
      const { question, check } = settings[field];
      const fallback = fallbacks[field];
      const isOptional = (answer: string) => answer === '' && field === 'userId';
      const answer = await ask({
        text: question,
        ...(fallback !== undefined && { fallback }),
        check: (given) => (isOptional(given) ? undefined : check(given, from?.allowInsecureHttp)?.problem),
      });
      if (answer !== '') answers[field] = answer;
    }
    return answers;
  });
}

function idsIn({ teamId, userId }: Values) {
  return { ...(teamId !== undefined && { teamId }), ...(userId !== undefined && { userId }) };
}

/** Everything in `values` is checked already. */
function remote(name: string, values: Values, from: Environment | undefined): TeamSettings {
  const { baseUrl = '', usernameFrom = '', passwordFrom = '' } = values;
  const normal = normalBaseUrl(baseUrl, from?.allowInsecureHttp ?? false);
  if ('problem' in normal) throw new Error('The base URL was not checked');
  const credentials = { usernameFrom, passwordFrom };
  return { name, service: { kind: 'remote', baseUrl: normal.url, credentials }, ...idsIn(values) };
}

function missing({ baseUrl, teamId }: Values): Diagnostic {
  const open = [
    ...(baseUrl === undefined ? [['the base URL of the service', '--base-url URL']] : []),
    ...(teamId === undefined ? [['the id of the team', '--team-id ID']] : []),
  ];
  const what = open.map(([name]) => name).join(' and ');
  const hint = `add ${open.map(([, flag]) => flag).join(' ')}`;
  const message = `without a terminal nothing is asked, and ${what} must be known`;
  return error('missing-settings', message, { hint });
}

/** What is wrong with the flags, each by itself and, of an embedded service, together. */
function flagProblems(
  flags: SettingFlags,
  isEmbedded: boolean,
  from: Environment | undefined,
): readonly Diagnostic[] {
  const given = fields.filter((field) => flags[field] !== undefined);
  const single = given.flatMap((field) => {
    const { flag: subject, check } = settings[field];
    const found = check(flags[field] ?? '', from?.allowInsecureHttp);
    return found ? [error('invalid-setting', found.problem, { subject, hint: found.hint })] : [];
  });
  const unfit = given.filter((field) => field !== 'teamId' && field !== 'userId');
  if (!isEmbedded || unfit.length === 0) return single;
  const message = `the embedded service has neither an address nor credentials, and ${unfit.map((field) => settings[field].flag).join(', ')} was given`;
  const hint = 'leave it out, or name a service with --base-url';
  return [error('embedded-service', message, { hint }), ...single];
}

function urlProblem(value: string, allowInsecureHttp = false): SettingProblem | undefined {
  const checked = normalBaseUrl(value, allowInsecureHttp);
  return 'problem' in checked ? checked : undefined;
}

function idProblem(value: string): SettingProblem | undefined {
  if (isRecordId(value) && !/\p{Cc}/u.test(value)) return undefined;
  return { problem: 'an id has 1 to 191 characters, on one line', hint: 'as the service answers it' };
}

function variableProblem(value: string): SettingProblem | undefined {
  if (/^[A-Z_][A-Z0-9_]*$/.test(value)) return undefined;
  const problem =
    'this is not the name of a variable: upper-case letters, digits and _, not beginning with a digit';
  return { problem, hint: 'give the name of the variable, never the value that it holds' };
}
