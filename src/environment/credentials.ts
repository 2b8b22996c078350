import { type Diagnostic, error, failure, type Problems, type Result, success } from '../text/diagnostic.ts';
import type { SourceText } from '../text/source.ts';
import type { CredentialNames, Credentials, Environment } from './model.ts';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables for credentials if a file names no others. */
export const defaultCredentials: CredentialNames = {
  usernameFrom: 'TROVE_USERNAME',
  passwordFrom: 'TROVE_PASSWORD',
};

/** The default names of the variables for the credentials of a new environment. */
export function credentialNames(environment: string): CredentialNames {
  const words = environment.toUpperCase().replaceAll('-', '_');
  // A variable does not begin with a digit.
  const prefix = /^\d/.test(words) ? `TROVE_${words}` : words;
  return { usernameFrom: `${prefix}_USERNAME`, passwordFrom: `${prefix}_PASSWORD` };
}

/** Longer ones are a file that went into the wrong variable, and every answer is searched for them. */
const MOST_CHARACTERS = 512;
const TOO_LONG = new RegExp(`^.{${MOST_CHARACTERS + 1}}`, 'su');

/**
 * The credentials from the variables that the environment names (API section 5). A username can't contain a colon,
 * since Basic authentication ends it there. Problems name variables and never repeat their values.
 */
export function readCredentials(environment: Environment, env: Variables): Result<Credentials> {
  const { usernameFrom, passwordFrom } = environment.credentials;
  const username = env[usernameFrom] ?? '';
  const password = env[passwordFrom] ?? '';
  const problems = [
    ...missing(environment, usernameFrom, username, 'username'),
    ...missing(environment, passwordFrom, password, 'password'),
    ...unfit(username, /[:\p{Cc}]/u, { why: 'username', variable: usernameFrom }),
    ...unfit(username, TOO_LONG, { why: 'too-long', variable: usernameFrom, most: MOST_CHARACTERS }),
    ...unfit(password, TOO_LONG, { why: 'too-long', variable: passwordFrom, most: MOST_CHARACTERS }),
    ...unfit(password, /\p{Cc}/u, { why: 'password', variable: passwordFrom }),
  ];
  return problems.length > 0 ? failure(...problems) : success({ username, password });
}

function missing(
  { name: environment }: Environment,
  variable: string,
  value: string,
  part: 'username' | 'password',
): Diagnostic[] {
  if (value !== '') return [];
  return [error('missing-credentials', { variable, part, environment }, { subject: variable })];
}

/** What is wrong with the value of a variable. */
type Unfit = Exclude<Problems['invalid-credentials'], { why: 'empty' }> & { readonly variable: string };

function unfit(value: string, pattern: RegExp, values: Unfit): Diagnostic[] {
  return pattern.test(value) ? [error('invalid-credentials', values, { subject: values.variable })] : [];
}

/**
 * Marks what tells of the text of an environment's file, or of a world's, so that `explainProblems` keeps it out of
 * messages, which end up in the logs of pipelines: it may contain a secret under any name and at any place. Of a file that fits its schema, only lines with a comment are concealed.
 */
export function concealSecrets(
  diagnostics: readonly Diagnostic[],
  source: SourceText | undefined,
  fits = false,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { location, related = [] } = diagnostic;
    const places = [...(location ? [location] : []), ...related.map((other) => other.location)];
    const own = places.filter((place) => place.source === source);
    const isHarmless = ({ start }: { start: number }) =>
      fits && source?.line(source.positionAt(start).line).includes('#') === false;
    if (own.every(isHarmless)) return diagnostic;
    return { ...diagnostic, concealed: fits && diagnostic.concealed !== 'words' ? 'excerpt' : 'words' };
  });
}
