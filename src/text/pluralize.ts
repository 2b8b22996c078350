/** `1 item`, `2 items`, `78 classifiers`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${plural(number, noun)}`;
}

/** The noun for so many, for nouns whose plural ends with an s. */
export function plural(number: number, noun: string): string {
  return number === 1 ? noun : `${noun}s`;
}
