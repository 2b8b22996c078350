import type { ServiceError } from '../api/outcome.ts';
import type { WriteHalt } from '../apply/model.ts';
import type { Address } from '../catalog/model.ts';
import { type ProfilePoint, profilePoints } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';

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
      readonly because: Because;
      readonly at: string;
      readonly exchange?: Exchange;
    }
  | { readonly kind: 'not-tried'; readonly because: Because }
  | { readonly kind: 'not-reached' }
);

/** Why a point is left open. `perhaps-made`: an update of this unused ID has an unknown outcome. */
export type Because =
  | 'another-record'
  | 'assignments-unknown'
  | 'became-other'
  | 'changed-unanswered'
  | 'contradiction'
  | 'ids-ignored'
  | 'item-unknown'
  | 'item-unseen'
  | 'no-answer'
  | 'no-attributes'
  | 'no-option-left'
  | 'no-shape-taken'
  | 'no-such-item'
  | 'not-as-sent'
  | 'not-emptied'
  | 'options-became-other'
  | 'range-missing'
  | 'ranges-not-set'
  | 'request-refused'
  | 'request-unseen'
  | 'some-options-gone'
  | 'stopped'
  | 'taken-once'
  | 'thumbnail-not-set'
  | 'too-few-options'
  | 'update-unseen'
  | { readonly code: 'perhaps-made'; readonly id: string };

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
  /** Probe creates with an unknown outcome. */
  readonly pending: readonly Address[];
  readonly halt?: ProbeHalt;
}

/** What a probe tells while it runs. It prints nothing itself. */
export interface ProbeEvent {
  readonly type: 'trying';
  readonly points: readonly ProfilePoint[];
}

export const allPoints = Object.keys(profilePoints) as readonly ProfilePoint[];

/** What is settled before anything is sent, by evidence in the file or because it can't be tried. */
export function settledPoints(
  { probed, service, attributes }: Environment,
  again: boolean,
): ReadonlyMap<ProfilePoint, PointResult> {
  const settled = new Map<ProfilePoint, PointResult>();
  const baseUrl = service.kind === 'remote' ? service.baseUrl : 'embedded';
  // Evidence of another service, whose file was copied, counts for nothing.
  const evidence = (point: ProfilePoint) => (probed[point]?.baseUrl === baseUrl ? probed[point] : undefined);
  for (const point of allPoints) {
    const { value = '', at } = evidence(point) ?? {};
    const isValue = (profilePoints[point] as readonly string[]).includes(value);
    const meaningless = dependent(point, (other) => evidence(other)?.value);
    if (!again && at !== undefined && isValue) settled.set(point, { point, kind: 'known', value, at });
    else if (!again && meaningless) settled.set(point, meaningless);
    else if (point === 'itemUpdate.attributes' && attributes.size === 0)
      settled.set(point, { point, kind: 'not-tried', because: 'no-attributes' });
  }
  return settled;
}

/** What has no meaning given the value of another point. */
export function dependent(
  point: ProfilePoint,
  told: (point: ProfilePoint) => string | undefined,
): PointResult | undefined {
  if (point === 'itemCreate.existingId' && told('itemCreate.clientId') === 'ignored')
    return { point, kind: 'not-tried', because: 'ids-ignored' };
  if (point === 'itemUpdate.assignments' && told('itemUpdate.classifierOptionIds') === 'unsupported')
    return { point, kind: 'not-tried', because: 'no-shape-taken' };
  return undefined;
}
