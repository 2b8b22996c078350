import { credentialNames } from '../environment/credentials.ts';
import { normalBaseUrl } from '../environment/defaults.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { quotedForShell } from '../text/quoted.ts';
import type { CommandContext } from './context.ts';
import { fail } from './exit-code.ts';
import { converse, hasTerminal } from './prompt.ts';

/** What a person says of a new environment. */
type SettingField = 'baseUrl' | 'teamId' | 'userId' | 'usernameFrom' | 'passwordFrom';

type Values = Readonly<Partial<Record<SettingField, string>>>;

export interface SettingFlags extends Values {
  readonly from?: string;
  readonly service?: 'embedded';
}

const settings: Readonly<Record<SettingField, { readonly flag: string; readonly text: string }>> = {
  baseUrl: { flag: '--base-url', text: 'Base URL of the service' },
  teamId: { flag: '--team-id', text: 'Id of the team' },
  userId: { flag: '--user-id', text: 'Id of a user whose spaces are read first (may stay empty)' },
  usernameFrom: { flag: '--username-from', text: 'Variable that holds the username' },
  passwordFrom: { flag: '--password-from', text: 'Variable that holds the password' },
};

const fields = Object.keys(settings) as readonly SettingField[];

/** What a new environment says of itself: from flags, from the environment that it copies, and from a person. */
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
  if (given.baseUrl !== undefined && given.teamId !== undefined)
    return remote(name, given, from?.allowInsecureHttp);
  if (!hasTerminal(context)) fail([missing(name, flags, given, context)]);
  const answers = await ask(flags, fallbacks, from, context);
  return remote(name, { ...flags, ...answers }, from?.allowInsecureHttp);
}

/** Asks for what no flag gives. */
async function ask(
  flags: SettingFlags,
  fallbacks: Values,
  from: Environment | undefined,
  context: CommandContext,
): Promise<Values> {
  const answers: [SettingField, string][] = [];
  await converse(context, async (ask) => {
    for (const field of fields.filter((each) => flags[each] === undefined)) {
      const fallback = fallbacks[field];
      const check = (answer: string) =>
        answer === '' && field === 'userId' ? undefined : settingProblem(field, answer, from)?.problem;
      const question = { text: settings[field].text, ...(fallback !== undefined && { fallback }), check };
      answers.push([field, await ask(question)]);
    }
  });
  return Object.fromEntries(answers.filter(([, answer]) => answer !== ''));
}

function idsIn({ teamId, userId }: Values) {
  return { ...(teamId !== undefined && { teamId }), ...(userId !== undefined && { userId }) };
}

/** Everything in `values` is checked already. */
function remote(name: string, values: Values, allowInsecureHttp = false): TeamSettings {
  const { baseUrl = '', teamId = '', usernameFrom = '', passwordFrom = '' } = values;
  const normal = normalBaseUrl(baseUrl, allowInsecureHttp);
  if ('problem' in normal) throw new Error('The base URL was not checked');
  const credentials = { usernameFrom, passwordFrom };
  return { name, service: { kind: 'remote', baseUrl: normal.url, credentials }, teamId, ...idsIn(values) };
}

function missing(
  name: string,
  typed: SettingFlags,
  { baseUrl, teamId }: Values,
  { flags }: CommandContext,
): Diagnostic {
  const open = [
    ...(baseUrl === undefined ? [{ what: 'the base URL of the service', flag: ' --base-url URL' }] : []),
    ...(teamId === undefined ? [{ what: 'the id of the team', flag: ' --team-id ID' }] : []),
  ];
  const what = open.map((each) => each.what).join(' and ');
  const message = `without a terminal nothing is asked, and ${what} must be known`;
  const wanted = open.map(({ flag }) => flag).join('');
  const hint = `trove env add ${name}${flags}${typedAgain(typed)}${wanted}`;
  return error('missing-settings', message, { hint });
}

/** What is wrong with the flags, each by itself and, of an embedded service, together. */
function flagProblems(
  flags: SettingFlags,
  isEmbedded: boolean,
  from: Environment | undefined,
): readonly Diagnostic[] {
  const single = fields.flatMap((field) => {
    const value = flags[field];
    const found = value === undefined ? undefined : settingProblem(field, value, from);
    if (!found) return [];
    return [error('invalid-setting', found.problem, { subject: settings[field].flag, hint: found.hint })];
  });
  return [...(isEmbedded ? remoteFlags(flags) : []), ...single];
}

function remoteFlags(flags: SettingFlags): readonly Diagnostic[] {
  const given = (['baseUrl', 'usernameFrom', 'passwordFrom'] as const).filter(
    (field) => flags[field] !== undefined,
  );
  if (given.length === 0) return [];
  const message = `the embedded service has neither an address nor credentials, and ${given.map((field) => settings[field].flag).join(', ')} was given`;
  return [error('embedded-service', message, { hint: 'leave it out, or name a service with --base-url' })];
}

/**
 * The flags as they were typed, for a printed command. What should be the name of a variable is not repeated, since it
 * may be a secret that somebody put in its place.
 */
function typedAgain(flags: SettingFlags): string {
  const from = flags.from === undefined ? '' : ` --from ${quotedForShell(flags.from)}`;
  const typed = fields.map((field) => {
    const value = flags[field];
    if (value === undefined) return '';
    const isName = field === 'usernameFrom' || field === 'passwordFrom';
    return ` ${settings[field].flag} ${isName ? 'NAME' : quotedForShell(value)}`;
  });
  return `${from}${typed.join('')}`;
}

/** What is wrong with one value. It is never repeated, since it may be a secret that somebody put in its place. */
export function settingProblem(
  field: SettingField,
  value: string,
  from: Environment | undefined,
): { readonly problem: string; readonly hint: string } | undefined {
  if (field === 'baseUrl') {
    const checked = normalBaseUrl(value, from?.allowInsecureHttp ?? false);
    return 'problem' in checked ? checked : undefined;
  }
  if (field === 'teamId' || field === 'userId') {
    const fits = value !== '' && [...value].length <= 191 && !/\p{Cc}/u.test(value);
    if (fits) return undefined;
    return { problem: 'an id has 1 to 191 characters, on one line', hint: 'as the service answers it' };
  }
  if (/^[A-Z_][A-Z0-9_]*$/.test(value)) return undefined;
  const problem =
    'this is not the name of a variable: upper-case letters, digits and _, not beginning with a digit';
  return { problem, hint: 'give the name of the variable, never the value that it holds' };
}
