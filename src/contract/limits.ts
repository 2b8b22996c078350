/** Section 8: ids, names, thumbnails and team ids have at most this many characters (code points). */
export const MAX_TEXT = 191;

/** Begins what stands in a recorded answer in the place of a credential. */
export const REDACTED = '[redacted';

/**
 * No path can be made of these: empty or dots (another path), half a surrogate pair (not encodable). The last would
 * be taken for a promise in a plan.
 */
const UNUSABLE = /^\.{0,2}$|\p{Surrogate}|^\$knownAfterApply/u;

/** Whether a text can be the id of a record (section 2), and stand in a path (sections 4.2 and 4.4). */
export function isRecordId(text: string): boolean {
  return !UNUSABLE.test(text) && [...text].length <= MAX_TEXT;
}
