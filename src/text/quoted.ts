const LONGEST = 60;

/** Text from a file as a message shows it: between backquotes, and cut where it would drown the sentence. */
export function quoted(text: string): string {
  const characters = text.length > LONGEST ? [...text.slice(0, 2 * LONGEST)] : undefined;
  if (!characters || characters.length <= LONGEST) return `\`${text}\``;
  return `\`${characters.slice(0, LONGEST - 1).join('')}…\``;
}
