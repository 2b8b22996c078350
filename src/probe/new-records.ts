import type { ProfilePoint } from '../contract/profile.ts';
import type { Entries } from '../state/entries.ts';
import { leftRecords, probeClassifier, probeItem, strayItem } from './records.ts';

/** How many records the service has more after a probe that tells all but the `settled` points: at most so many. */
export function mostNewRecords(
  entries: Entries,
  settled: ReadonlyMap<ProfilePoint, unknown>,
  again: boolean,
): number {
  const known = new Set(leftRecords(entries).map(({ address }) => address));
  const counts = [
    !known.has(probeClassifier),
    !known.has(probeItem),
    // A create that is sent once more, and an update of an id that nobody has, may each make one.
    !settled.has('itemCreate.existingId'),
    !settled.has('update.unknownId') && (again || !known.has(strayItem)),
  ];
  return counts.filter(Boolean).length;
}
