import { isKey, isReservedKey, keyOf } from '../catalog/model.ts';

const LONGEST = 60;

/**
 * Text from a file as a message shows it: between backquotes, of which it shows none of its own, and cut where it
 * would drown the sentence.
 */
export function quoted(whole: string): string {
  const text = whole.replaceAll('`', "'");
  const characters = text.length > LONGEST ? [...text.slice(0, 2 * LONGEST)] : undefined;
  if (!characters || characters.length <= LONGEST) return `\`${text}\``;
  return `\`${characters.slice(0, LONGEST - 1).join('')}…\``;
}

/** A text as one word of a command that is shown to be typed. */
export function quotedForShell(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `1 item`, `2 items`, `78 classifiers`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${plural(number, noun)}`;
}

/** The noun for so many, for nouns whose plural ends with an s; `entries`. */
export function plural(number: number, noun: string): string {
  return number === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`;
}

/** The first of them, and how many there are more. */
export function fewOf(names: readonly string[], most: number): readonly string[] {
  return names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;
}

/** Stands where there is no value. No key reads so, and no other text stands without quotes. */
export const NONE = '(none)';

/** A value in as few characters as say it: `3..7` for a range, `"Rare" x0.25` for an option. Total over JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return NONE;
  if (Array.isArray(value) && value.length > 0) return value.map(memberText).join(', ');
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  if ('min' in value && 'max' in value) return `${numberText(value.min)}..${numberText(value.max)}`;
  if (isOption(value)) return `${JSON.stringify(value.name)} ${multiplierText(value)}`;
  return JSON.stringify(value);
}

/** Two values that differ: of options with the same name, only `x0.85` and `x0.9`. */
export function differingTexts(before: unknown, after: unknown): readonly [string, string] {
  const isNamedAlike = isOption(before) && isOption(after) && before.name === after.name;
  return isNamedAlike
    ? [multiplierText(before), multiplierText(after)]
    : [valueText(before), valueText(after)];
}

interface Option {
  readonly name: unknown;
  readonly dropRateMultiplier: unknown;
}

function isOption(value: unknown): value is Option {
  return typeof value === 'object' && value !== null && 'name' in value && 'dropRateMultiplier' in value;
}

function multiplierText({ dropRateMultiplier }: Option): string {
  return `x${numberText(dropRateMultiplier)}`;
}

/** A member of a list: option keys stand as they are, and whatever else there is in quotes. */
export function memberText(member: unknown): string {
  return typeof member === 'string' && isKey(member) ? member : JSON.stringify(member);
}

/** A number as it is; what is there instead of one, as JSON. */
export function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** The command that sends what is recorded of an address again. */
export function senderOf(address: string): string {
  return isReservedKey(keyOf(address)) ? 'trove probe' : 'trove apply';
}
