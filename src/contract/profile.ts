import type { EnvironmentFile } from '../../generated/environment-types.js';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };

/** What Trove may rely on where the interface is silent. */
export type Profile = Required<EnvironmentFile['profile'] & object>;
export type ProfilePoint = keyof Profile;

/**
 * The values of each point, as schemas/environment.schema.json lists them. The first is its default and means
 * unknown, so nothing is assumed.
 */
export const profilePoints = Object.fromEntries(
  Object.entries(schema.properties.profile.properties).map(([point, { enum: values }]) => [point, values]),
) as unknown as { readonly [Point in ProfilePoint]: readonly [Profile[Point], ...Profile[Point][]] };

/** Every point at its default: nothing is known. */
export const unknownProfile = Object.fromEntries(
  Object.entries(profilePoints).map(([point, [first]]) => [point, first]),
) as unknown as Profile;

/** The choices of the embedded service with its default dialect. */
export const embeddedProfile: Profile = {
  'itemUpdate.classifierOptionIds': 'by-classifier',
  'itemUpdate.assignments': 'replace',
  'itemUpdate.attributes': 'replace',
  'itemUpdate.omittedThumbnail': 'kept',
  'itemUpdate.clearThumbnail': 'unsupported',
  'itemCreate.clientId': 'honoured',
  'itemCreate.existingId': 'rejected',
  'update.unknownId': 'rejected',
  'classifierUpdate.options': 'unsupported',
};
