import { normalBaseUrl } from '../../environment/defaults.ts';
import type { Environment } from '../../environment/model.ts';

/** What a person says of a new environment. */
export type SettingField = 'baseUrl' | 'teamId' | 'userId' | 'usernameFrom' | 'passwordFrom';
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
