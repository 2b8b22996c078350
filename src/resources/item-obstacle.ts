import type { Profile } from '../contract/profile.ts';
import { type FieldDifference, groupOf } from './fields.ts';
import type { Obstacle } from './kind.ts';

const LEAVE_ASSIGNMENTS = 'add `lifecycle: { ignoreChanges: [classifiers] }` to the item';

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
  return {
    reason:
      'a thumbnail can be replaced but not removed: section 4.2 types it as string and shows no way to clear it',
    remedies: ['give it another thumbnail, or leave `thumbnail` out so that it is not managed'],
    setting: {
      point: 'itemUpdate.clearThumbnail',
      remedy:
        'set `itemUpdate.clearThumbnail` in the profile of the environment once the owner of the service names a way',
    },
  };
}

function attributeObstacle(profile: Profile): Obstacle | undefined {
  const setting = profile['itemUpdate.attributes'];
  if (setting === 'replace') return undefined;
  const why =
    setting === 'merge'
      ? 'an update merges attributes'
      : "the API doesn't say whether an update replaces or merges attributes (API section 4)";
  return {
    reason: `an attribute range can't be removed: ${why}`,
    remedies: ['declare the range again'],
    setting: replaces('itemUpdate.attributes'),
  };
}

function assignmentObstacle({ before, after }: FieldDifference, profile: Profile): Obstacle | undefined {
  if (profile['itemUpdate.classifierOptionIds'] === 'unsupported') {
    return {
      reason:
        "assignments of an existing item can't be changed: the API doesn't document the format of `classifierOptionIds` in updates (API section 4.2)",
      remedies: [LEAVE_ASSIGNMENTS],
      setting: {
        point: 'itemUpdate.classifierOptionIds',
        remedy:
          'set `itemUpdate.classifierOptionIds` in the profile of the environment to the shape that the service takes',
      },
    };
  }
  const kept = new Set(asOptions(after));
  const removes = asOptions(before).some((option) => !kept.has(option));
  const setting = profile['itemUpdate.assignments'];
  if (!removes || setting === 'replace') return undefined;
  const why =
    setting === 'merge'
      ? 'an update merges assignments'
      : "the API doesn't say whether an update replaces or merges assignments (API section 4)";
  return {
    reason: `an assignment can't be removed: ${why}`,
    remedies: ['assign the option again', LEAVE_ASSIGNMENTS],
    setting: replaces('itemUpdate.assignments'),
  };
}

function replaces(point: 'itemUpdate.attributes' | 'itemUpdate.assignments') {
  const remedy = `set \`${point}: replace\` in the profile of the environment if the service does so`;
  return { point, remedy };
}

function asOptions(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
