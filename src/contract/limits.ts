/** Section 8: ids, names, thumbnails and team ids have at most this many characters (code points). */
export const MAX_TEXT = 191;
