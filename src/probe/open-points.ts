import { type ProfilePoint, profilePoints } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';
import type { PointResult } from './model.ts';

export const allPoints = Object.keys(profilePoints) as readonly ProfilePoint[];

/** What is settled before anything is sent, by evidence in the file or because it can't be tried. */
export function settledPoints(
  environment: Environment,
  again: boolean,
): ReadonlyMap<ProfilePoint, PointResult> {
  const settled = allPoints.flatMap((point) => {
    const result = again ? untriable(point, environment) : settledPoint(point, environment);
    return result ? [[point, result] as const] : [];
  });
  return new Map(settled);
}

function settledPoint(point: ProfilePoint, environment: Environment): PointResult | undefined {
  const probed = ofThisService(environment);
  const { value, at } = probed[point] ?? {};
  if (value !== undefined && at !== undefined && isValueOf(point, value))
    return { point, kind: 'known', value, at };
  return dependent(point, (other) => probed[other]?.value) ?? untriable(point, environment);
}

function ofThisService({ probed, service }: Environment): Environment['probed'] {
  const baseUrl = service.kind === 'remote' ? service.baseUrl : 'embedded';
  return Object.fromEntries(Object.entries(probed).filter(([, point]) => point.baseUrl === baseUrl));
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

function untriable(point: ProfilePoint, { attributes }: Environment): PointResult | undefined {
  if (point !== 'itemUpdate.attributes' || attributes.size > 0) return undefined;
  return { point, kind: 'not-tried', because: 'the environment names no attributes' };
}

function isValueOf(point: ProfilePoint, value: string): boolean {
  const values: readonly string[] = profilePoints[point];
  return values.includes(value);
}
