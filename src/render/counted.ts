/** `1 item`, `2 items`, `78 classifiers`: for nouns whose plural ends with an s. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
