import type { CredentialNames } from './model.ts';

/** What the variables with the credentials of a new environment are called, where nobody says otherwise. */
export function credentialNames(environment: string): CredentialNames {
  const words = environment.toUpperCase().replaceAll('-', '_');
  // A variable does not begin with a digit.
  const prefix = /^\d/.test(words) ? `TROVE_${words}` : words;
  return { usernameFrom: `${prefix}_USERNAME`, passwordFrom: `${prefix}_PASSWORD` };
}
