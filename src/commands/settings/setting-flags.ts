import type { Environment } from '../../environment/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { quotedForShell } from '../../text/quoted.ts';
import { type SettingField, settingProblem } from './setting-problem.ts';

export interface SettingFlags {
  readonly from?: string;
  readonly baseUrl?: string;
  readonly teamId?: string;
  readonly userId?: string;
  readonly usernameFrom?: string;
  readonly passwordFrom?: string;
  readonly service?: 'embedded';
}

const flagOf: Readonly<Record<SettingField, string>> = {
  baseUrl: '--base-url',
  teamId: '--team-id',
  userId: '--user-id',
  usernameFrom: '--username-from',
  passwordFrom: '--password-from',
};

/** What is wrong with the flags, each by itself and, of an embedded service, together. */
export function flagProblems(
  flags: SettingFlags,
  isEmbedded: boolean,
  from: Environment | undefined,
): readonly Diagnostic[] {
  const single = (Object.keys(flagOf) as SettingField[]).flatMap((field) => {
    const value = flags[field];
    const found = value === undefined ? undefined : settingProblem(field, value, from);
    if (!found) return [];
    return [error('invalid-setting', found.problem, { subject: flagOf[field], hint: found.hint })];
  });
  return [...(isEmbedded ? remoteFlags(flags) : []), ...single];
}

function remoteFlags(flags: SettingFlags): readonly Diagnostic[] {
  const given = (['baseUrl', 'usernameFrom', 'passwordFrom'] as const).filter(
    (field) => flags[field] !== undefined,
  );
  if (given.length === 0) return [];
  const message = `the embedded service has neither an address nor credentials, and ${given.map((field) => flagOf[field]).join(', ')} was given`;
  return [error('embedded-service', message, { hint: 'leave it out, or name a service with --base-url' })];
}

/**
 * The flags as they were typed, for a printed command. What should be the name of a variable is not repeated, since it
 * may be a secret that somebody put in its place.
 */
export function typedAgain(flags: SettingFlags): string {
  const from = flags.from === undefined ? '' : ` --from ${quotedForShell(flags.from)}`;
  const typed = (Object.keys(flagOf) as SettingField[]).map((field) => {
    const value = flags[field];
    if (value === undefined) return '';
    const isName = field === 'usernameFrom' || field === 'passwordFrom';
    return ` ${flagOf[field]} ${isName ? 'NAME' : quotedForShell(value)}`;
  });
  return `${from}${typed.join('')}`;
}
