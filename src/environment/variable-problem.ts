import { type Diagnostic, error } from '../text/diagnostic.ts';
import { quoted } from '../text/quoted.ts';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Why the value of a variable can't stand in a catalog text; it is never shown. `count` is how often it is used. */
export function variableProblem(name: string, count: number, values: Variables): Diagnostic | undefined {
  const shown = quoted(name);
  const value = values[name];
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
