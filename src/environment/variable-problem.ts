import { type Diagnostic, error } from '../text/diagnostic.ts';
import { quoted } from '../text/quoted.ts';
import type { CredentialVariables } from './credential-variables.ts';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Undefined where it is not set. A name that objects inherit is no variable. */
export function valueIn(name: string, values: Variables | undefined): string | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/**
 * Why the value of a variable can't stand in a catalog text; it is never shown. Without `values` only its name is
 * judged. `count` is how often it is used.
 */
export function variableProblem(
  name: string,
  count: number,
  { values, credentials }: { readonly values?: Variables; readonly credentials: CredentialVariables },
): Diagnostic | undefined {
  const shown = quoted(name);
  // Where the names of variables have no case, as on Windows, any spelling gives the secret.
  const holder = credentials.get(name.toUpperCase());
  if (holder !== undefined) {
    const message = `${shown} is a credential of environment ${holder}, and what stands here is sent and shown`;
    return error('secret-variable', message, { hint: 'use another variable' });
  }
  if (values === undefined) return undefined;
  const value = valueIn(name, values);
  const also = count > 1 ? `; it is used ${count} times` : '';
  if (!value) {
    const state = value === '' ? 'empty' : 'not set';
    const hint = `export ${name}=VALUE before this command${also}`;
    return error('unset-variable', `the variable ${shown} is ${state}`, { hint });
  }
  const stray = /\p{Cc}/u.test(value) ? 'a control character' : value.includes('${') ? '`${`' : undefined;
  if (stray === undefined) return undefined;
  const hint = `look at how it is set${also}`;
  return error('unusable-variable', `the value of ${shown} holds ${stray}, so it is not filled in`, { hint });
}
