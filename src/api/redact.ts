export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The value of the Authorization header (interface, section 5). */
export function authorizationOf({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * Takes every spelling of the password and of the Authorization value out of a text. Spellings of fewer than
 * `telling` characters stay unless they are the whole text.
 */
export type Redact = (text: string, telling?: number) => string;

const REDACTED = '[redacted]';

/**
 * Knows the spellings in which a service can echo credentials: plain, base64 (also inside of a longer text, and with
 * the URL alphabet), hexadecimal, and any mix of the escapes of JSON, HTML and URLs.
 */
export function createRedact({ username, password }: Credentials): Redact {
  if (password === '') return (text) => text;
  const pair = Buffer.from(`${username}:${password}`);
  const spellings = [
    ...base64Patterns(pair),
    ...base64Patterns(Buffer.from(password)),
    Buffer.from(password).toString('hex').replace(/[a-f]/g, eitherCase),
    ...new Set([password, password.normalize('NFC'), password.normalize('NFD')].map(textPattern)),
  ];
  const pattern = new RegExp(spellings.join('|'), 'g');
  return (text, telling = 0) =>
    text.replace(pattern, (found) => (found.length < telling && found !== text ? found : REDACTED));
}

/** A copy of a JSON value with every string, and if `changeKey` is given every key, replaced. */
export function mapStrings(
  value: unknown,
  change: (text: string) => string,
  changeKey = (key: string) => key,
): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change, changeKey));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [changeKey(key), mapStrings(each, change, changeKey)]),
  );
}

/** Every string in a JSON value. */
export function stringsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) stringsIn(each, found);
  return found;
}

/** Shorter pieces of base64 could be part of any word. */
const SHORTEST_PIECE = 8;
const BASE64_CHARACTER = '[A-Za-z0-9+/_-]';

/** By itself, and as a piece of a longer text, which begins at any of three offsets. */
function base64Patterns(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const pieces = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const complete = Math.floor((shifted.length * 8) / 6);
    const piece = shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), complete);
    const before = offset === 0 ? '' : `${BASE64_CHARACTER}?`;
    return piece.length < SHORTEST_PIECE ? [] : [`${before}${base64Text(piece)}${BASE64_CHARACTER}?`];
  });
  return [...pieces, base64Text(whole)].map((each) => `${each}(?:${textPattern('=')})*`);
}

function base64Text(text: string): string {
  return [...text]
    .map((each) => (each === '+' ? `(?:-|${textPattern(each)})` : base64Character(each)))
    .join('');
}

function base64Character(character: string): string {
  return character === '/' ? `(?:_|${textPattern(character)})` : character;
}

/** Blanks and backslashes in a row are taken together: one by one they would have countless ways to match. */
function textPattern(text: string): string {
  return [...text.matchAll(/\s+|\\+|./gsu)].map(([part]) => partPattern(part)).join('');
}

function partPattern(part: string): string {
  if (part.startsWith('\\'))
    return `(?:\\\\{${part.length},${4 * part.length}}|${[...part].map(characterPattern).join('')})`;
  return /^\s/.test(part)
    ? `(?:\\s{1,${part.length}}|${[...part].map(characterPattern).join('')})`
    : characterPattern(part);
}

const namedEntities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Escapes may be escaped again; without a bound a long row of these would take long to search. */
const SLASHES = '\\\\{1,8}';

/** One character in every spelling. */
function characterPattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character)];
  const spellings = [
    escaped(character),
    units(character)
      .map((unit) => `${SLASHES}u${hexOf(unit, 4)}`)
      .join(''),
    `${SLASHES}u\\{0*${hexOf(code)}\\}`,
    `&(?:amp;)*#0*${code};?`,
    `&(?:amp;)*#[xX]0*${hexOf(code)};?`,
    bytes.map(percentPattern).join(''),
    ...(code <= 0xff ? [percentPattern(code), `${SLASHES}x${hexOf(code, 2)}`] : []),
    ...(namedEntities[character] ? [`&(?:amp;)*${namedEntities[character]};?`] : []),
    ...(/["'/]/.test(character) ? [SLASHES + escaped(character)] : []),
    ...(character === ' ' ? ['\\+'] : []),
    // Bytes that were read in another encoding.
    ...(code > 0x7f ? ['\\ufffd', bytes.map((byte) => escaped(String.fromCharCode(byte))).join('')] : []),
  ];
  return `(?:${spellings.join('|')})`;
}

function percentPattern(byte: number): string {
  return `%(?:25)*${hexOf(byte, 2)}`;
}

function hexOf(code: number, digits = 1): string {
  return code.toString(16).padStart(digits, '0').replace(/[a-f]/g, eitherCase);
}

function eitherCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`;
}

function units(character: string): readonly number[] {
  return character.split('').map((unit) => unit.charCodeAt(0));
}

/** Each code unit as a regular expression that stands for it alone. */
function escaped(text: string): string {
  return units(text)
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
