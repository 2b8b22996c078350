import type { Outcome, ServiceError } from '../api/outcome.ts';
import type { WriteHalt } from '../apply/writer.ts';
import type { Address } from '../catalog/model.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import type { AnyAnswer } from '../resources/registry.ts';

/** One request and its answer in few words, without credentials: the evidence for a finding. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/**
 * What is known of one point at the end of a probe.
 *
 * - `found`: this run told its value
 * - `known`: the environment file had evidence already, so nothing was sent
 * - `could-not-tell`: tried, and the answers leave it open
 * - `not-tried`: it has no meaning at this service, or nothing to try it with
 * - `not-reached`: the run ended before it
 */
export type PointResult = { readonly point: ProfilePoint } & (
  | { readonly kind: 'found'; readonly value: string; readonly at: string; readonly exchange: Exchange }
  | { readonly kind: 'known'; readonly value: string; readonly at: string }
  | {
      readonly kind: 'could-not-tell';
      readonly because: string;
      readonly at: string;
      readonly exchange?: Exchange;
    }
  | { readonly kind: 'not-tried'; readonly because: string }
  | { readonly kind: 'not-reached' }
);

/** Why nothing more is sent. */
export type ProbeHalt =
  | WriteHalt
  /** A create was sent and its outcome was not seen, now or in an earlier run. */
  | { readonly kind: 'unknown'; readonly address: Address; readonly error?: ServiceError }
  /** The records that everything is tried on could not be had. */
  | { readonly kind: 'no-records'; readonly error?: ServiceError }
  /** An answer names a record that is recorded for another address. */
  | { readonly kind: 'foreign-record'; readonly id: string; readonly address: Address };

/** A record that the probe leaves in the service. */
export interface LeftRecord {
  readonly address: Address;
  readonly id: string;
}

export interface ProbeReport {
  /** Every point, in the order of the profile. */
  readonly points: readonly PointResult[];
  readonly left: readonly LeftRecord[];
  /** Probe creates whose outcome nobody saw. */
  readonly pending: readonly Address[];
  readonly halt?: ProbeHalt;
}

/** What a probe tells while it runs. It prints nothing itself. */
export interface ProbeEvent {
  readonly type: 'trying';
  readonly points: readonly ProfilePoint[];
}

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
