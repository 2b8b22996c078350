import { normalBaseUrl } from '../../environment/base-url.ts';
import { credentialNames } from '../../environment/credential-names.ts';
import type { Environment } from '../../environment/model.ts';
import type { TeamSettings } from '../../environment/team-settings.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { quotedForShell } from '../../text/quoted-for-shell.ts';
import { converse, hasTerminal, type Question } from '../asking/questions.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';

export interface SettingFlags {
  readonly from?: string;
  readonly baseUrl?: string;
  readonly teamId?: string;
  readonly userId?: string;
  readonly usernameFrom?: string;
  readonly passwordFrom?: string;
  readonly service?: 'embedded';
}

export type Gathered =
  | { readonly ok: true; readonly settings: TeamSettings }
  | { readonly ok: false; readonly exit: ExitCode };

type Field = 'baseUrl' | 'teamId' | 'userId' | 'usernameFrom' | 'passwordFrom';
type Values = Readonly<Partial<Record<Field, string>>>;

const flagOf: Readonly<Record<Field, string>> = {
  baseUrl: '--base-url',
  teamId: '--team-id',
  userId: '--user-id',
  usernameFrom: '--username-from',
  passwordFrom: '--password-from',
};

/** What a new environment says of itself: from flags, from the environment that it copies, and from a person. */
export async function gatherSettings(
  name: string,
  flags: SettingFlags,
  from: Environment | undefined,
  context: CommandContext,
): Promise<Gathered> {
  const isEmbedded = flags.service ?? (flags.baseUrl === undefined && from?.service.kind === 'embedded');
  const problems = [...(isEmbedded ? remoteFlags(flags) : []), ...flagProblems(flags, from)];
  if (problems.length > 0) return refuse(context, problems);
  if (isEmbedded) return embedded(name, flags);
  const fallbacks = fallbacksFor(name, from);
  const given = { ...fallbacks, ...flags };
  if (given.baseUrl !== undefined && given.teamId !== undefined)
    return remote(name, given, from?.allowInsecureHttp);
  if (!hasTerminal(context)) return refuse(context, [missing(name, flags, given, context)]);
  return ask(name, flags, fallbacks, from, context);
}

async function ask(
  name: string,
  flags: SettingFlags,
  fallbacks: Values,
  from: Environment | undefined,
  context: CommandContext,
): Promise<Gathered> {
  const open = (Object.keys(texts) as Field[]).filter((field) => flags[field] === undefined);
  const asked = await converse(context, async (ask) => {
    const answers: [Field, string][] = [];
    for (const field of open) answers.push([field, await ask(questionFor(field, fallbacks[field], from))]);
    return answers;
  });
  if (asked.kind !== 'answered') {
    context.note('\nNothing was written.\n');
    return { ok: false, exit: asked.kind === 'interrupted' ? exitCode.interrupted : exitCode.error };
  }
  const answers = asked.value.filter(([, answer]) => answer !== '');
  return remote(name, { ...flags, ...Object.fromEntries(answers) }, from?.allowInsecureHttp);
}

const texts: Readonly<Record<Field, string>> = {
  baseUrl: 'Base URL of the service',
  teamId: 'Id of the team',
  userId: 'Id of a user whose spaces are read first (may stay empty)',
  usernameFrom: 'Variable that holds the username',
  passwordFrom: 'Variable that holds the password',
};

function questionFor(field: Field, fallback: string | undefined, from: Environment | undefined): Question {
  return {
    text: texts[field],
    ...(fallback !== undefined && { fallback }),
    check: (answer) =>
      answer === '' && field === 'userId' ? undefined : settingProblem(field, answer, from)?.problem,
  };
}

function fallbacksFor(name: string, from: Environment | undefined): Values {
  return {
    ...(from?.service.kind === 'remote' && { baseUrl: from.service.baseUrl }),
    ...credentialNames(name),
  };
}

function embedded(name: string, { teamId, userId }: SettingFlags): Gathered {
  const team = { ...(teamId !== undefined && { teamId }), ...(userId !== undefined && { userId }) };
  return { ok: true, settings: { name, service: { kind: 'embedded' }, ...team } };
}

/** Everything in `values` is checked already. */
function remote(name: string, values: Values, allowInsecureHttp = false): Gathered {
  const { baseUrl = '', teamId = '', userId, usernameFrom = '', passwordFrom = '' } = values;
  const normal = normalBaseUrl(baseUrl, allowInsecureHttp);
  if ('problem' in normal) throw new Error('The base URL was not checked');
  const service = {
    kind: 'remote',
    baseUrl: normal.url,
    credentials: { usernameFrom, passwordFrom },
  } as const;
  return { ok: true, settings: { name, service, teamId, ...(userId !== undefined && { userId }) } };
}

function flagProblems(flags: SettingFlags, from: Environment | undefined): readonly Diagnostic[] {
  return (Object.keys(flagOf) as Field[]).flatMap((field) => {
    const value = flags[field];
    const found = value === undefined ? undefined : settingProblem(field, value, from);
    if (!found) return [];
    return [error('invalid-setting', found.problem, { subject: flagOf[field], hint: found.hint })];
  });
}

/** What is wrong with one value. It is never repeated, since it may be a secret that somebody put in its place. */
export function settingProblem(
  field: Field,
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
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return undefined;
  const problem = 'this is not the name of a variable: letters, digits and _, not beginning with a digit';
  return { problem, hint: 'give the name of the variable, never the value that it holds' };
}

function remoteFlags(flags: SettingFlags): readonly Diagnostic[] {
  const given = (['baseUrl', 'usernameFrom', 'passwordFrom'] as const).filter(
    (field) => flags[field] !== undefined,
  );
  if (given.length === 0) return [];
  const message = `the embedded service has neither an address nor credentials, and ${given.map((field) => flagOf[field]).join(', ')} was given`;
  return [error('embedded-service', message, { hint: 'leave it out, or name a service with --base-url' })];
}

function missing(
  name: string,
  { from }: SettingFlags,
  { baseUrl, teamId }: Values,
  { flags }: CommandContext,
): Diagnostic {
  const what = [
    ...(baseUrl === undefined ? ['the base URL of the service'] : []),
    ...(teamId === undefined ? ['the id of the team'] : []),
  ].join(' and ');
  const message = `without a terminal nothing is asked, and ${what} must be known`;
  const wanted = `${baseUrl === undefined ? ' --base-url URL' : ''} --team-id ID`;
  const copied = from === undefined ? '' : ` --from ${quotedForShell(from)}`;
  return error('missing-settings', message, { hint: `trove env add ${name}${flags}${copied}${wanted}` });
}

function refuse(context: CommandContext, problems: readonly Diagnostic[]): Gathered {
  context.complain(problems);
  return { ok: false, exit: exitCode.error };
}
