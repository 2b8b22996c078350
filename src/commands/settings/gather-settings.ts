import { credentialNames } from '../../environment/credentials.ts';
import { normalBaseUrl } from '../../environment/defaults.ts';
import type { Environment, TeamSettings } from '../../environment/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { converse, hasTerminal, type Question } from '../asking/questions.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { flagProblems, type SettingFlags, typedAgain } from './setting-flags.ts';
import { type SettingField, settingProblem } from './setting-problem.ts';

export type Gathered =
  | { readonly ok: true; readonly settings: TeamSettings }
  | { readonly ok: false; readonly exit: ExitCode };

type Values = Readonly<Partial<Record<SettingField, string>>>;

/** What a new environment says of itself: from flags, from the environment that it copies, and from a person. */
export async function gatherSettings(
  name: string,
  flags: SettingFlags,
  from: Environment | undefined,
  context: CommandContext,
): Promise<Gathered> {
  const isEmbedded =
    flags.service === 'embedded' || (flags.baseUrl === undefined && from?.service.kind === 'embedded');
  const problems = flagProblems(flags, isEmbedded, from);
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
  const open = (Object.keys(texts) as SettingField[]).filter((field) => flags[field] === undefined);
  const asked = await converse(context, async (ask) => {
    const answers: [SettingField, string][] = [];
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

const texts: Readonly<Record<SettingField, string>> = {
  baseUrl: 'Base URL of the service',
  teamId: 'Id of the team',
  userId: 'Id of a user whose spaces are read first (may stay empty)',
  usernameFrom: 'Variable that holds the username',
  passwordFrom: 'Variable that holds the password',
};

function questionFor(
  field: SettingField,
  fallback: string | undefined,
  from: Environment | undefined,
): Question {
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

function refuse(context: CommandContext, problems: readonly Diagnostic[]): Gathered {
  context.complain(problems);
  return { ok: false, exit: exitCode.error };
}
