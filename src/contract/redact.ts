import { stripVTControlCharacters } from 'node:util';
import { decodeHTML } from 'entities';
import { REDACTED } from './api.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What a URL has before its @. A name that is long may be a token. */
export function credentialsOf(url: string): readonly Credentials[] {
  const [username = '', password = ''] = [new URL(url).username, new URL(url).password].map(decoded);
  const token = username.length >= SHORTEST_TOKEN ? [{ username: '', password: username }] : [];
  return [...(password === '' ? [] : [{ username, password }]), ...token];
}

/** As it is, where it is not percent-encoded as a whole. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The value of the Authorization header (interface, section 5). */
export function authorizationOf({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * Takes the password and the Authorization value out of a text: their usual spellings are replaced, and a text that
 * repeats them in another way is left out whole. Spellings of fewer than `telling` characters stay unless they are
 * the whole text.
 */
export type Redact = (text: string, telling?: number) => string;

const IN_PLACE = `${REDACTED}]`;
const LEFT_OUT = `${REDACTED} whole: it repeats a credential]`;

const SHORTEST_TOKEN = 20;

/** A shorter one of these could be part of any word. */
const SHORTEST_ENCODING = 8;

export function createRedact(...all: readonly Credentials[]): Redact {
  const secret = all.filter(({ password }) => password !== '');
  // Longest first.
  const spellings = secret.flatMap(spellingsOf).sort((one, other) => other.length - one.length);
  const traces = secret.flatMap(tracesOf);
  return (text, telling = 0) => {
    let parts: readonly string[] = [text];
    for (const spelling of spellings)
      if (text.includes(spelling) && (spelling.length >= telling || spelling === text))
        parts = parts.flatMap((part) => part.split(spelling));
    return parts.some((part) => repeats(part, traces, telling)) ? LEFT_OUT : parts.join(IN_PLACE);
  };
}

/** What is replaced: plain, as JSON, URLs, forms and pages write it, in base64 and in hexadecimal. */
function spellingsOf({ username, password }: Credentials): readonly string[] {
  const plain = formsOf(password).flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1),
    encodeURIComponent(Buffer.from(form).toString()),
    new URLSearchParams([['', form]]).toString().slice(1),
    form.replace(/[&<>"']/g, (character) => `&${entityNames[character] ?? ''};`),
  ]);
  const encoded = [`${username}:${password}`, password].flatMap((text) => {
    const bytes = Buffer.from(text);
    const [base64, hex] = [bytes.toString('base64'), bytes.toString('hex')];
    return [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), hex, hex.toUpperCase()];
  });
  return [...new Set([...plain, ...encoded.filter(({ length }) => length >= SHORTEST_ENCODING)])];
}

function formsOf(password: string): readonly string[] {
  const normal = (['NFC', 'NFD', 'NFKC'] as const).map((form) => password.normalize(form));
  return [...new Set([password, ...normal].flatMap((form) => [form, ...misread(form)]))];
}

/** What a service makes of a text that reads its UTF-8 as the older encodings, which Basic long had; also twice. */
function misread(text: string): readonly string[] {
  if (isAscii(text)) return [];
  return [latin1, windows1252, windows1251].flatMap((read) => {
    const once = read(Buffer.from(text));
    return [once, read(Buffer.from(once))];
  });
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** What Windows-1252 has where Latin-1 has control characters. Node 20 decodes it as Latin-1. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function windows1252(bytes: Buffer): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (character) => windows[character.charCodeAt(0) - 0x80] ?? '');
}

/** Some builds of Node have no older encodings. */
function windows1251(bytes: Buffer): string {
  try {
    return new TextDecoder('windows-1251').decode(bytes);
  } catch {
    return latin1(bytes);
  }
}

function latin1(bytes: Buffer): string {
  return bytes.toString('latin1');
}

const entityNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

/** What is left of a credential without the characters of `drop`; a text that has it, without these, repeats it. */
interface Trace {
  readonly drop: RegExp;
  /** Upper case counts as lower case. */
  readonly folds: boolean;
  readonly kept: readonly string[];
  /** Parts of long ones, by their length: a credential that was cut off is half a secret. */
  readonly pieces: ReadonlyMap<number, ReadonlySet<string>>;
}

/** So many bytes of a long credential repeat it, and no fewer characters than the second. */
const PIECE = 12;
const FEWEST = 5;

/** The fewer characters are compared, the more it takes: words that happen to stand side by side must not match. */
function tracesOf({ username, password }: Credentials): readonly Trace[] {
  // A password may itself hold what looks like an escape, which is taken away from a text with all others.
  const forms = formsOf(password).flatMap((form) => [form, ...layersBelow(form, TAGS).filter(isTelling)]);
  const pair = `${username}:${password}`;
  const inJson = JSON.stringify(password).slice(1, -1);
  const bytes = [password, inJson, pair, ...misread(password), ...misread(pair)].flatMap((text) =>
    (['utf8', 'latin1', 'utf16le'] as const).map((encoding) => Buffer.from(text, encoding)),
  );
  const base64 = bytes.map((each) => Buffer.from(each.toString('base64')));
  const all = [...bytes, ...base64];
  const encoded = [
    ...all.flatMap(base64Pieces),
    ...all.flatMap((each) => [each.toString('hex'), each.toString('hex').toUpperCase(), each.join('')]),
  ];
  const trace = (drop: RegExp, texts: readonly string[], shortest: number, folds = false): Trace => {
    const left = texts.map((text) => (folds ? text.toLowerCase() : text).replace(drop, ''));
    const kept = left.filter(({ length }) => length >= shortest);
    return { drop, folds, kept: [...new Set(kept)], pieces: byLength(kept.flatMap(piecesOf)) };
  };
  return [
    // Backslashes come and go with escapes, and NUL is what UTF-16 puts between letters.
    trace(/[\0\\]/g, forms, 4),
    // Quotes are doubled.
    ...(/["'`]/.test(password) ? [trace(/[\0\\"'`]/g, forms, 6)] : []),
    // An umlaut, say, has many spellings and none that every encoding keeps.
    trace(/[^ -[\]-~]/g, forms, 6),
    // A plus and a space are one in forms.
    trace(/[^!-[\]-~]|\+/g, forms, 8),
    // Signs are dropped, replaced or put between letters, and letters change their case, where a name is made of a text.
    trace(/[^a-z0-9]/g, forms, 8, true),
    ...(isAscii(password) ? [] : [trace(/[^\p{L}\p{N}]/gu, forms, 8, true)]),
    trace(/0x|[^a-z0-9]/gi, encoded, SHORTEST_ENCODING),
  ];
}

/** A short rest of a password may be part of any word. */
function isTelling({ length }: string): boolean {
  return length >= 8;
}

/** Of a very long one, those at its beginning. */
function piecesOf(text: string): readonly string[] {
  const starts = Array.from({ length: Math.min(500, text.length) }, (_, at) => at);
  const pieces = starts.flatMap((at) => pieceAt(text, at) ?? []);
  // A row of one character is part of any text.
  return pieces.filter((piece) => new Set(piece).size > piece.length / 3);
}

/** The shortest part from here on that is long enough. */
function pieceAt(text: string, start: number): string | undefined {
  for (let end = start + FEWEST; end <= Math.min(text.length, start + PIECE); end += 1) {
    const piece = text.slice(start, end);
    if (Buffer.byteLength(piece) >= PIECE) return piece;
  }
  return undefined;
}

function byLength(pieces: readonly string[]): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  for (const piece of pieces) found.set(piece.length, (found.get(piece.length) ?? new Set()).add(piece));
  return found;
}

/** What base64 makes of bytes that stand in the middle of others, at any of three offsets. */
function base64Pieces(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const complete = Math.floor((shifted.length * 8) / 6);
    return shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), complete);
  });
}

/** Escapes may be escaped again. */
const MOST_LAYERS = 5;

function repeats(text: string, traces: readonly Trace[], telling: number): boolean {
  // A password may stand inside a tag, or have tags inside.
  const plain = [text, ...layersBelow(text, TAGS), ...(text.includes('<') ? layersBelow(text) : [])];
  const others = plain.some((layer) => AMBIGUOUS.test(layer)) ? layersBelow(text, TAGS, unambiguous) : [];
  return [...plain, ...others].some((layer) =>
    traces.some(({ drop, folds, kept, pieces }) => {
      const rest = (folds ? layer.toLowerCase() : layer).replace(drop, '');
      if (kept.some((each) => each.length >= telling && rest.includes(each))) return true;
      return PIECE >= telling && hasPiece(rest, pieces);
    }),
  );
}

/** A text with one layer of escapes taken away, then two, until nothing is left to take. */
function layersBelow(text: string, tags?: RegExp, first = (layer: string) => layer): readonly string[] {
  const layers = [text];
  while (layers.length < MOST_LAYERS) {
    const [layer = ''] = layers;
    const below = unescaped(first(layer), tags);
    if (below === layer) break;
    layers.unshift(below);
  }
  return layers.slice(0, -1);
}

function hasPiece(text: string, pieces: Trace['pieces']): boolean {
  for (const [length, those] of pieces)
    for (let end = length; end <= text.length; end++)
      if (those.has(text.slice(end - length, end))) return true;
  return false;
}

const TAGS = /<[^<>]{0,500}>/g;
const AMBIGUOUS = /\\[0-9a-f]|\+[0-9a-z/]+-/i;

/** Escapes of directories and style sheets (`\2d`) and of UTF-7 (`+AC0-`), which are others or none elsewhere. */
function unambiguous(text: string): string {
  return text
    .replace(/(?:\\{1,8}(?:0000)?[0-9a-f]{2} ?){1,1000}/gi, (run) =>
      textOfBytes(run.match(/[0-9a-f]{2}(?= ?(?:\\|$))/gi), 16),
    )
    .replace(/\+([0-9a-z/]{2,200})-/gi, (_, base64) => latin1(Buffer.from(base64, 'base64')));
}

/**
 * One layer of `tags` and of the escapes of JSON, HTML, XML names, URLs, mail, terminals and source code taken away, and
 * letters of another width or style made plain. UTF-16 is UTF-8 with NULs, as far as ASCII goes. All repetitions have
 * bounds: a long row of escapes exhausts the stack that a regular expression has.
 */
function unescaped(styled: string, tags: RegExp | undefined): string {
  const uncolored = styled.includes('\x1b') ? stripVTControlCharacters(styled) : styled;
  const text = uncolored.replaceAll('\0', '').normalize('NFKC');
  if (!/[\\%&=<]|u\+|_x/i.test(text)) return text;
  // Tags first and names of characters last: what these stand for is part of the text, not a tag or an escape.
  const plain = (tags ? text.replace(tags, '') : text)
    .replace(/=\r?\n/g, '')
    .replace(/\+/g, /%[0-9a-f]{2}/i.test(text) ? ' ' : '+')
    .replace(/(?:%u|\\{1,8}u|u\+)([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\{1,8}[ux]\{0{0,200}([0-9a-f]{1,6})\}/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)))
    .replace(/(?:(?:%(?:25){0,20}|=|\\{1,8}x)[0-9a-f]{2}){1,1000}/gi, (run) =>
      textOfBytes(run.match(/[0-9a-f]{2}(?![0-9a-f])/gi), 16),
    )
    .replace(/(?:\\{1,8}[0-3]?[0-7]{1,2}){1,1000}/g, (run) => textOfBytes(run.match(/[0-7]+/g), 8))
    .replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&(?:amp;){1,20}/gi, '&');
  return decodeHTML(plain).replace(/\\{1,8}[nrt]/g, ' ');
}

/** What is no UTF-8 is of an older encoding. */
function textOfBytes(digits: readonly string[] | null, base: number): string {
  const bytes = Buffer.from((digits ?? []).map((each) => Number.parseInt(each, base)));
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? latin1(bytes) : text;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
