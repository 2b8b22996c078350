import type { Address } from '../catalog/model.ts';
import type { ProfilePoint } from '../contract/profile.ts';
import type { State } from '../state/model.ts';
import { leftRecords, probeClassifier, probeItem } from './records.ts';

/** How many records the service has more after a probe that settles all but `settled`: at most so many. */
export function mostNewRecords(state: State, settled: ReadonlyMap<ProfilePoint, unknown>): number {
  const known = new Set(leftRecords(state).map(({ address }) => address));
  const asked = [probeClassifier, probeItem] satisfies readonly Address[];
  // A create that is sent once more, and an update of an id that nobody has, may each make one.
  const risked = (['itemCreate.existingId', 'update.unknownId'] as const).filter(
    (point) => !settled.has(point),
  );
  return asked.filter((address) => !known.has(address)).length + risked.length;
}
