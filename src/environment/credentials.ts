import environmentSchema from '../../schemas/environment.schema.json' with { type: 'json' };
import worldSchema from '../../schemas/world.schema.json' with { type: 'json' };
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
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
 * since Basic authentication ends it there. Messages name variables and never repeat their values.
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

/** All that a message may quote of a file with problems: the words of its schema, and those written for them. */
const quotable = new Set(['username', 'password', 'api', 'true']);
JSON.stringify([environmentSchema, worldSchema], (key, value) => {
  const names: readonly string[] = key === 'properties' ? Object.keys(value) : key === 'enum' ? value : [];
  for (const name of names) quotable.add(name);
  return value;
});

/**
 * Keeps the text of an environment's file, or of a world's, out of messages, which end up in the logs of pipelines: it may contain a
 * secret under any name and at any place. Of a file that fits its schema, only lines with a comment are concealed.
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
    return { ...diagnostic, concealed: fits ? 'excerpt' : 'words' };
  });
}

/** A sentence without what it quotes, but for the words of the schema. */
export function concealWords(text: string): string {
  return text.replace(/`([^`]*)`/g, (whole, quoted: string) => (isQuotable(quoted) ? whole : '`…`'));
}

/** Also a word with one slip of the keyboard; and a single character, such as a missing bracket, is no secret. */
function isQuotable(quoted: string): boolean {
  const words = quoted.replace(/\[\d+\]$/, '').split(/\.|: /);
  return (
    quoted.length < 2 || nearest(quoted, quotable) !== undefined || words.every((word) => quotable.has(word))
  );
}
