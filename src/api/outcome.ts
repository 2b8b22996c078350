import type { ServiceError } from './error.ts';

/**
 * What became of one request, retries included.
 *
 * - `answered`: 2xx with a body that is what the interface documents (section 4)
 * - `refused`: surely not taken
 * - `unseen`: it may or may not have happened
 *
 * A POST that was repeated after an unseen attempt stays `unseen` even where the last answer is a refusal:
 * 409 to the second attempt may mean that the first one created the record.
 */
export type Outcome<Body> =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Body }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'unseen'; readonly error: ServiceError };
