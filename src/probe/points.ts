import { type ProfilePoint, profilePoints } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';
import type { PointResult } from './model.ts';

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
      settled.set(point, { point, kind: 'not-tried', because: 'the environment names no attributes' });
  }
  return settled;
}

/** What has no meaning given the value of another point. */
export function dependent(
  point: ProfilePoint,
  told: (point: ProfilePoint) => string | undefined,
): PointResult | undefined {
  if (point === 'itemCreate.existingId' && told('itemCreate.clientId') === 'ignored')
    return { point, kind: 'not-tried', because: 'the service ignores ids on create' };
  if (point === 'itemUpdate.assignments' && told('itemUpdate.classifierOptionIds') === 'unsupported')
    return { point, kind: 'not-tried', because: 'no shape of classifierOptionIds was taken' };
  return undefined;
}
