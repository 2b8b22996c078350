import type { CredentialNames } from '../environment/model.ts';

/** Whom a report is for: where the credentials come from, and what printed commands need. */
export interface Reader {
  readonly credentials: CredentialNames;
  readonly flags: string;
}
