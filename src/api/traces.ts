import { idIn, routes } from '../contract/api.ts';
import type { Redact } from '../contract/redact.ts';
import { parseJson, TELLING } from './answer.ts';
import type { Failure, Reply, ServiceRequest } from './outcome.ts';

/** What was asked, as far as it takes to find its record in an answer. */
export type Asked = Pick<ServiceRequest, 'operation' | 'path' | 'body'>;

/**
 * What an answer tells that can't be read as one. A part that fails does not lose the others. `came`: its body before it
 * was unpacked, which it may not have been, whatever its headers name.
 */
export function tracesOf(reply: Reply, asked: Asked, redact: Redact, came: Buffer): Partial<Failure> {
  const words = attempted(() => wordsOf(reply.body, redact));
  // A redirect names its target; of a create it may be the only thing that names the new record.
  const location = firstOf(reply.headers.location) ?? firstOf(reply.headers['content-location']);
  const shownLocation = location && attempted(() => lineOf(location, redact));
  return {
    ...(words && { words }),
    ...attempted(() => namedIn(reply, asked, redact, came)),
    ...(shownLocation && { location: shownLocation }),
  };
}

/**
 * Whether a refusal of a write names a record that it would not name if nothing had been taken. 409 is left out: that
 * record may well be the one that was there before.
 */
export function contradictsRefusal(reply: Reply, asked: Asked): boolean {
  if (reply.status === 409 || asked.operation === 'listUserSpaces') return false;
  const isHeld = attempted(() => holdsRecord(reply.body, asked)) === true;
  return isHeld || (isCreate(asked) && placeOf(reply, asked) !== undefined);
}

/** Undefined where `read` throws. */
export function attempted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function isCreate({ operation }: Asked): boolean {
  return routes[operation].method === 'POST';
}

/** The IDs in an answer to a write, and the one that the record may have instead of the one that was asked for. */
function namedIn(reply: Reply, asked: Asked, redact: Redact, came: Buffer): Partial<Failure> {
  // What the HTTP parser did not take begins in the middle, where half a secret may stand: IDs only, no words.
  const data = reply.error instanceof Error && 'data' in reply.error ? reply.error.data : undefined;
  const rest = typeof data === 'string' ? data : '';
  const named = idsIn(Buffer.concat([reply.body, Buffer.from(rest)]), redact);
  const plain = came === reply.body ? { ids: [], own: [] } : idsIn(came, redact);
  const ids = [...new Set([...named.ids, ...plain.ids])].slice(0, MOST_IDS);
  const own = [...named.own, ...plain.own];
  const wanted = askedId(asked);
  // The ID in an error is mostly that of the error.
  const mayBeOther = isCreate(asked) || (reply.status ?? 500) < 300 || contradictsRefusal(reply, asked);
  const all = mayBeOther ? [...own.filter(ownIn(reply, asked)), placeOf(reply, asked)] : [];
  const other = all.find((id) => id !== undefined && id !== wanted);
  return {
    ...(ids.length > 0 && { answeredIds: ids }),
    ...(typeof wanted === 'string' && other !== undefined && { otherId: redact(other) }),
  };
}

/**
 * Whether an ID is the record's own. An update is mostly answered with the ID that it was sent to, so that another one
 * may be that of an error: it counts if it stands in what looks like the record, alone, or in what is broken.
 */
function ownIn({ body }: Reply, asked: Asked): (id: string) => boolean {
  const objects = isCreate(asked) ? [] : objectsIn(body);
  const { name: sent } = valuesOf(asked.body);
  return (own) => {
    const holders = objects.filter(({ id }) => String(id) === own);
    const looksLikeIt = ({ id: _, name, teamId, ...rest }: (typeof holders)[number]) =>
      typeof teamId === 'string' || name === sent || (name === undefined && Object.keys(rest).length === 0);
    return holders.length === 0 || holders.some(looksLikeIt);
  };
}

/** The ID that a write asks for, if it does. */
function askedId({ operation, path, body }: Asked): unknown {
  const { method } = routes[operation];
  if (method === 'POST') return valuesOf(body).id;
  return method === 'PUT' ? idIn(path) : undefined;
}

/** The ID in a Location below the path of creates. */
function placeOf({ headers }: Reply, { path }: Asked): string | undefined {
  return attempted(() => {
    const { pathname } = new URL(firstOf(headers.location) ?? '', 'http://relative/');
    const [, id] = pathname.split(`${path.split('/', 2).join('/')}/`);
    return id === undefined || id === '' || id.includes('/') ? undefined : decodeURIComponent(id);
  });
}

function valuesOf(value: object | undefined): Readonly<Record<string, unknown>> {
  return { ...value };
}

/**
 * Whether an answer holds a record, as it is or in an envelope, with whatever is wrong about its fields. No request has
 * a `teamId`; what has none may be an echo of the request, unless its ID is new.
 */
function holdsRecord(bytes: Buffer, asked: Asked): boolean {
  const sent = valuesOf(asked.body);
  return objectsIn(bytes).some(({ id, name, teamId }) => {
    const isNamed = (typeof id === 'string' || typeof id === 'number') && typeof name === 'string';
    return isNamed && (typeof teamId === 'string' || (name === sent.name && id !== askedId(asked)));
  });
}

/** What can be a record: the whole answer, or what is in an envelope. Empty for what is no JSON. */
function objectsIn(bytes: Buffer): readonly Readonly<Record<string, unknown>>[] {
  const parsed = parseJson(bytes);
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return [];
  return [parsed.value, ...Object.values(parsed.value)]
    .filter((value) => typeof value === 'object' && value !== null)
    .map(valuesOf);
}

/** A key that ends in `id`, with a text or a number behind it; what follows the longest text is not looked at. */
const ID_MEMBER =
  /"((?:[^"\\]{0,40}(?:[^a-zA-Z"\\]|[a-z](?=I)))?(?:id|ID|Id)|[gu]uid)"\s{0,20}:\s{0,20}(?:"((?:[^"\\]|\\.){1,500})("?)|(-?\d[\d.eE+-]{0,40})(?=\s{0,20}[,}\]]))/g;
const MOST_OF_AN_ID = 500;
/** The part of a body in which escapes are looked for: IDs normally have none. */
const MOST_ESCAPED = 2 ** 20;
/** A record is an answer, or in an envelope; what is further in is a part of one. */
const MOST_LEVELS_OF_A_RECORD = 2;
const MOST_IDS = 10;
const MOST_LEVELS = 32;
const BRACKETS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

interface NamedIds {
  /** Those nearest to the outside come first, since the others are those of options. Without secrets. */
  readonly ids: readonly string[];
  /** What stands where a record has its own ID. As it came, so only to be compared. */
  readonly own: readonly string[];
}

/** The IDs that an answer names which can't be read as one: not as documented, broken, or cut short. */
export function idsIn(body: Buffer, redact: Redact): NamedIds {
  // UTF-16 is UTF-8 with NULs, as far as IDs go.
  const written = body.toString('utf8').replaceAll('\0', '');
  const head = written.slice(0, MOST_ESCAPED).replace(/\\u00([2-7][0-9a-f])/gi, plainCharacter);
  const text = head + written.slice(MOST_ESCAPED);
  const levels = Array.from({ length: MOST_LEVELS }, () => new Set<string>());
  const own: { readonly depth: number; readonly id: string }[] = [];
  let depth = 0;
  let at = 0;
  for (const { 0: member, 1: key = '', 2: id, 3: end, 4: number, index } of text.matchAll(ID_MEMBER)) {
    for (; at < index; at += 1) depth += BRACKETS[text.charAt(at)] ?? 0;
    at = index + member.length;
    const found = levels[Math.min(Math.max(depth, 0), MOST_LEVELS - 1)];
    const isWhole = id === undefined || end === '"' || id.length >= MOST_OF_AN_ID;
    if (!found || found.size === MOST_IDS || !isWhole || /^(?:team|user|attribute)/i.test(key)) continue;
    const raw = id ?? number ?? '';
    const named = (attempted<string>(() => JSON.parse(`"${raw}"`)) ?? raw).slice(0, MOST_OF_AN_ID);
    found.add(named);
    if (key === 'id' && depth <= MOST_LEVELS_OF_A_RECORD) own.push({ depth, id: named });
  }
  const ids = new Set(levels.flatMap((found) => [...found]));
  const outermost = Math.min(...own.map((each) => each.depth));
  return {
    ids: [...ids].slice(0, MOST_IDS).map((id) => redact(id, TELLING)),
    own: own.filter((each) => each.depth === outermost).map(({ id }) => id),
  };
}

function plainCharacter(written: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return /["\\]/.test(character) ? written : character;
}

const MAX_WORDS = 500;
/** Enough for any message; what is behind it is not looked at. */
const MAX_READ = 64 * 1024;
const messageKeys = ['message', 'error_description', 'detail', 'description', 'title', 'error'];
const listKeys = ['details', 'errors'];

/**
 * What a service says in the body of an error, whose shape is not documented (interface, section 7): the message of a
 * JSON body, the text of an HTML page, or the body itself; one line, at most 500 characters, without secrets. Empty
 * where it says nothing. Still to be escaped for where it is shown.
 */
export function wordsOf(body: Buffer, redact: Redact): string {
  // Before anything is cut: half a password is still half a secret.
  const clean = (text: string) => redact(text.slice(0, 2 * MAX_READ)).slice(0, MAX_READ);
  const parsed = body.length > MAX_READ ? undefined : parseJson(body);
  if (parsed?.ok) return lineOf(clean(messageOf(parsed.value, 0) ?? parsed.text), redact);
  const raw = clean(body.toString('utf8', 0, 2 * MAX_READ));
  return lineOf(/<(!doctype|html|body|h1|p)\b/i.test(raw) ? textOfHtml(raw) : raw, redact);
}

/** One line of at most 500 characters. */
export function lineOf(text: string, redact: Redact): string {
  const line = redact(redact(text).replace(/\s+/g, ' ').trim());
  const characters = [...line.slice(0, 2 * MAX_WORDS + 1)];
  return characters.length > MAX_WORDS ? `${characters.slice(0, MAX_WORDS - 1).join('')}…` : line;
}

function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) return joinMessages(value.slice(0, 5), depth);
  const members = valuesOf(value);
  const main = messageKeys
    .map((key) => messageOf(members[key], depth + 1))
    .find((text) => text !== undefined);
  const details = joinMessages(listKeys.map((key) => members[key]).filter(Array.isArray), depth);
  const about = typeof members.field === 'string' && main !== undefined ? `${members.field} ${main}` : main;
  return about !== undefined && details !== undefined ? `${about} (${details})` : (about ?? details);
}

function joinMessages(values: readonly unknown[], depth: number): string | undefined {
  const texts = values.map((value) => messageOf(value, depth + 1)).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('; ');
}

function textOfHtml(html: string): string {
  return html.replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ').replace(/<[^<>]*>/g, ' ');
}
