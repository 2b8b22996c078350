import type { ServiceError } from '../api/outcome.ts';
import type { WriteHalt } from '../apply/model.ts';
import type { Address } from '../catalog/model.ts';
import type { ProfilePoint } from '../contract/profile.ts';

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
