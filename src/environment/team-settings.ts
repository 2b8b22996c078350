import type { CredentialNames } from './model.ts';

/** What is of one team only in the file of an environment; a new one says it, and everything else may be shared. */
export interface TeamSettings {
  readonly name: string;
  readonly service:
    | { readonly kind: 'remote'; readonly baseUrl: string; readonly credentials: CredentialNames }
    | { readonly kind: 'embedded' };
  /** Only an embedded service goes without. */
  readonly teamId?: string;
  readonly userId?: string;
}
