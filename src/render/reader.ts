import type { CredentialNames } from '../environment/model.ts';
import type { AskedFor } from './apply-outcome.ts';

/** Whom a report is for: where the credentials come from, and what printed commands need. */
export interface Reader {
  readonly credentials: CredentialNames;
  readonly flags: string;
  /** What the flags of this run asked for: a next one needs them again for what is left. */
  readonly askedFor?: AskedFor;
}
