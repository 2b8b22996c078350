import type { Profile } from '../../src/contract/profile.ts';
import { type Dialect, defaultDialect, dialectPoints } from '../../src/service/dialect.ts';

/**
 * Few dialects in which each value of each point stands at least once: the n-th takes the n-th value of every
 * point, and starts over where a point has fewer.
 */
export const coveringDialects: readonly Dialect[] = [0, 1, 2, 3].map(
  (nth) =>
    Object.fromEntries(
      Object.entries(dialectPoints).map(([point, values]) => [point, values[nth % values.length]]),
    ) as Dialect,
);

/** What is true of a service with this dialect, as the profile of an environment says it. */
export function truthOf(dialect: Partial<Dialect>): Profile {
  const spoken = { ...defaultDialect, ...dialect };
  const shape = spoken['itemUpdate.classifierOptionIds'];
  const options = { replaced: 'replace', 'merged-by-name': 'merge-by-name' } as const;
  const spokenOptions = spoken['classifierUpdate.options'];
  return {
    'itemUpdate.classifierOptionIds': shape === 'ignored' ? 'unsupported' : shape,
    'itemUpdate.assignments': spoken['itemUpdate.assignments'],
    'itemUpdate.attributes': spoken['itemUpdate.attributes'],
    'itemUpdate.omittedThumbnail': spoken['itemUpdate.omittedThumbnail'],
    'itemUpdate.clearThumbnail': clearing(spoken),
    'itemCreate.clientId': spoken['itemCreate.clientId'],
    'itemCreate.existingId': spoken['itemCreate.existingId'] === 'overwritten' ? 'overwritten' : 'rejected',
    'update.unknownId': spoken['update.unknownId'] === 'created' ? 'created' : 'rejected',
    'classifierUpdate.options':
      spokenOptions === 'ignored' || spokenOptions === 'rejected' ? 'unsupported' : options[spokenOptions],
  };
}

function clearing(spoken: Dialect): Profile['itemUpdate.clearThumbnail'] {
  if (spoken['itemUpdate.nullThumbnail'] === 'clears') return 'null';
  return spoken['itemUpdate.emptyThumbnail'] === 'clears' ? 'empty' : 'unsupported';
}
