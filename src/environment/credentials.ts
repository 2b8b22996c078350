import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import type { Credentials, Environment } from './model.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Longer ones are a file that went into the wrong variable, and every answer is searched for them. */
const MOST_CHARACTERS = 512;
const TOO_LONG = new RegExp(`^.{${MOST_CHARACTERS + 1}}`, 'su');

/**
 * The credentials from the variables that the environment names (interface, section 5). A username can't hold
 * a colon, since Basic authentication ends it there. Messages name variables and never repeat their values.
 */
export function readCredentials(environment: Environment, env: Variables): Result<Credentials> {
  const { usernameFrom, passwordFrom } = environment.credentials;
  const username = env[usernameFrom] ?? '';
  const password = env[passwordFrom] ?? '';
  const problems = [
    ...missing(environment, usernameFrom, username, 'username'),
    ...missing(environment, passwordFrom, password, 'password'),
    ...unfit(usernameFrom, username, /[:\p{Cc}]/u, 'a colon or a control character'),
    ...unfit(usernameFrom, username, TOO_LONG, `more than ${MOST_CHARACTERS} characters`),
    ...unfit(passwordFrom, password, TOO_LONG, `more than ${MOST_CHARACTERS} characters`),
    ...unfit(passwordFrom, password, /\p{Cc}/u, 'a control character, such as a line break at its end'),
  ];
  return problems.length > 0 ? failure(...problems) : success({ username, password });
}

function missing(environment: Environment, variable: string, value: string, what: string): Diagnostic[] {
  if (value !== '') return [];
  const message = `the variable ${variable} is not set; it holds the ${what} for environment ${environment.name}`;
  const hint = `set ${variable}, or name another variable under \`credentials\` in the environment file`;
  return [error('missing-credentials', message, { subject: variable, hint })];
}

function unfit(variable: string, value: string, pattern: RegExp, what: string): Diagnostic[] {
  if (!pattern.test(value)) return [];
  return [error('invalid-credentials', `the value of ${variable} contains ${what}`, { subject: variable })];
}
