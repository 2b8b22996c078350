import type { Profile } from '../contract/profile.ts';
import { type FieldDifference, groupOf } from './fields.ts';
import type { Obstacle } from './kind.ts';

/** What an item update (section 4.2) can't be trusted to do under this profile. */
export function itemObstacle(difference: FieldDifference, profile: Profile): Obstacle | undefined {
  switch (groupOf(difference.path)) {
    case 'thumbnail':
      return difference.after === null ? clearingObstacle(profile) : undefined;
    case 'attributes':
      return difference.after === null ? attributeObstacle(profile) : undefined;
    case 'classifiers':
      return assignmentObstacle(difference, profile);
    default:
      return undefined;
  }
}

function clearingObstacle(profile: Profile): Obstacle | undefined {
  const known = profile['itemUpdate.clearThumbnail'] !== 'unsupported';
  if (known || profile['itemUpdate.omittedThumbnail'] === 'cleared') return undefined;
  return { code: 'thumbnail-removal', point: 'itemUpdate.clearThumbnail' };
}

function attributeObstacle(profile: Profile): Obstacle | undefined {
  const setting = profile['itemUpdate.attributes'];
  if (setting === 'replace') return undefined;
  return { code: 'attribute-removal', point: 'itemUpdate.attributes', isMerged: setting === 'merge' };
}

function assignmentObstacle({ before, after }: FieldDifference, profile: Profile): Obstacle | undefined {
  if (profile['itemUpdate.classifierOptionIds'] === 'unsupported')
    return { code: 'assignment-change', point: 'itemUpdate.classifierOptionIds' };
  const kept = new Set(asOptions(after));
  const removes = asOptions(before).some((option) => !kept.has(option));
  const setting = profile['itemUpdate.assignments'];
  if (!removes || setting === 'replace') return undefined;
  return { code: 'assignment-removal', point: 'itemUpdate.assignments', isMerged: setting === 'merge' };
}

function asOptions(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
