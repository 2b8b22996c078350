import { type Diagnostic, error } from '../../text/diagnostic.ts';

/** A URL with a user and a password in it. */
const WITH_PASSWORD = /:\/\/[^/\s@]*:[^\s@]*@/;

/**
 * No command takes such a URL, and many would repeat it: as a path that does not exist, in a command to copy, in a
 * report. So it is refused before any of them sees it.
 */
export function credentialsInArguments(
  given: readonly string[],
  { TROVE_CATALOG = '', TROVE_ENV = '' }: NodeJS.ProcessEnv,
): Diagnostic | undefined {
  const places = [
    ...given.map((text) => ({ text, called: 'an argument' })),
    { text: TROVE_CATALOG, called: 'TROVE_CATALOG' },
    { text: TROVE_ENV, called: 'TROVE_ENV' },
  ];
  const found = places.find(({ text }) => WITH_PASSWORD.test(text));
  if (!found) return undefined;
  const message = `${found.called} contains a URL with a password, which is not repeated here`;
  const hint = 'credentials come from the variables that the environment names, or from --password-stdin';
  return error('credentials-in-argument', message, { hint });
}
