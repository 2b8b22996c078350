import type { ServiceError } from '../api/error.ts';
import type { Outcome } from '../api/outcome.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { Exchange } from './model.ts';

/**
 * What came of one request of an experiment.
 *
 * - `answered`: readably, by the expected team, about the record that was meant
 * - `refused`: the service said no, and surely took nothing
 * - `unseen`: it may have been taken; `saidNo` where the service itself answered an error (500, not a gateway's)
 * - `stopped`: nothing was sent, or nothing more may be
 */
export type Reply<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly exchange: Exchange }
  | { readonly kind: 'refused'; readonly exchange: Exchange; readonly error: ServiceError }
  | {
      readonly kind: 'unseen';
      readonly exchange: Exchange;
      readonly saidNo: boolean;
      readonly error?: ServiceError;
    }
  | { readonly kind: 'stopped' };

/** Errors of what stands before a service: they do not say what the service would have said. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

export function failedReply(
  { kind, error }: Extract<Outcome<AnyAnswer>, { error: unknown }>,
  exchange: Exchange,
): Exclude<Reply<never>, { kind: 'answered' | 'stopped' }> {
  const { reason, status = 0, transient } = error;
  // "Too many requests" is no answer to the question.
  if (kind === 'refused' && reason === 'status' && !transient) return { kind, exchange, error };
  const saidNo = reason === 'status' && status >= 500 && !GATEWAY_STATUSES.has(status);
  return { kind: 'unseen', exchange, saidNo, error };
}

/** Why a reply that is no answer tells nothing. */
export function withoutAnswer(reply: Exclude<Reply<unknown>, { kind: 'answered' }>): string {
  return reply.kind === 'refused' ? 'the request was refused' : 'the outcome of the request was not seen';
}
