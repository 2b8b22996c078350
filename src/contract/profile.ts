/**
 * What Trove may rely on where the interface is silent. The first value of each
 * point is its default and means: nobody has said, so nothing is assumed.
 */
export const profilePoints = {
  'itemUpdate.classifierOptionIds': ['unsupported', 'by-classifier', 'by-option', 'by-index'],
  'itemUpdate.assignments': ['unknown', 'replace', 'merge'],
  'itemUpdate.attributes': ['unknown', 'replace', 'merge'],
  'itemUpdate.omittedThumbnail': ['unknown', 'kept', 'cleared'],
  'itemUpdate.clearThumbnail': ['unsupported', 'null', 'empty'],
  'itemCreate.clientId': ['unknown', 'honoured', 'ignored'],
  'itemCreate.existingId': ['unknown', 'rejected', 'overwritten'],
  'update.unknownId': ['unknown', 'rejected', 'created'],
  'classifierUpdate.options': ['unsupported', 'replace', 'merge-by-name'],
} as const;

export type ProfilePoint = keyof typeof profilePoints;
export type Profile = { readonly [Point in ProfilePoint]: (typeof profilePoints)[Point][number] };

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
