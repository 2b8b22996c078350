import { Classifier, Item, UserSpaceLinks } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { structureProblems } from '../contract/json-structure.ts';
import { isRecordId } from '../contract/limits.ts';
import type { Operation } from '../contract/routes.ts';
import type { WireClassifier, WireItem, WireSpaceLink } from '../contract/wire.ts';
import { parseJson } from './json.ts';
import type { Redact } from './redact.ts';

/** What each operation answers (interface, sections 4.1 to 4.5). */
export interface Answers {
  readonly createItem: WireItem;
  readonly updateItem: WireItem;
  readonly createClassifier: WireClassifier;
  readonly updateClassifier: WireClassifier;
  readonly listUserSpaces: readonly WireSpaceLink[];
}

export type Answer<O extends Operation> =
  | { readonly ok: true; readonly body: Answers[O] }
  | { readonly ok: false; readonly problem: string };

const item = { validate: Item, fields: documentedFields.Item };
const classifier = { validate: Classifier, fields: documentedFields.Classifier };
const shapes = {
  createItem: item,
  updateItem: item,
  createClassifier: classifier,
  updateClassifier: classifier,
  listUserSpaces: { validate: UserSpaceLinks, fields: documentedFields.UserSpaceLinks },
} satisfies Record<Operation, unknown>;

/** The API documents no limit. Records are far smaller, and what is kept of all of them has to fit into one state. */
const MOST_MEBIBYTES = 4;

/**
 * Reads the body of a success: bytes to JSON to the documented shape. Only documented fields are kept, and no text
 * with a credential in it, unless `known`, which holds the body of the request, has the same text. `problem` says what
 * is wrong with "it", the answer, without quoting it.
 */
export function readAnswer<O extends Operation>(
  operation: O,
  bytes: Uint8Array,
  redact: Redact,
  known?: unknown,
): Answer<O> {
  if (bytes.length > MOST_MEBIBYTES * 2 ** 20) return unusable(`it is larger than ${MOST_MEBIBYTES} MiB`);
  const parsed = parseJson(bytes);
  if (!parsed.ok) return unusable(parsed.problem);
  const { value, text } = parsed;
  const { validate, fields } = shapes[operation];
  const [repeated] = structureProblems(text);
  // Any other key may be a secret that the answer repeats.
  if (repeated && !Object.hasOwn(fields, repeated.field)) return unusable('one of its keys is given twice');
  if (repeated) return unusable(`its \`${repeated.field}\` ${repeated.message}`);
  if (!validate(value)) return unusable(problemOf(validate.errors?.[0]));
  // The validator has just said that it is one.
  const own = documented(value, fields) as Answers[O];
  if ('id' in own && !isRecordId(own.id)) return unusable("its id can't be part of a path");
  const knownValues = new Set(membersOf(known).map(([, each]) => each));
  const echo = membersOf(own).find(([key, each]) => !knownValues.has(each) && isEcho(key, each, redact));
  if (echo) return unusable(`its \`${echo[0]}\` holds a credential`);
  return { ok: true, body: redacted(own, '', knownValues, redact) as Answers[O] };
}

function unusable(problem: string) {
  return { ok: false, problem } as const;
}

/** A shorter credential is a part of many words by chance. */
const TELLING = 8;
/**
 * An ID is needed to go on, so it is kept whole or not at all: with a shorter credential as a part of it, it most
 * likely is what it looks like.
 */
const TELLING_IN_AN_ID = 12;

/** The team's is compared with the expected one and not kept. */
function isId(key: string): boolean {
  return /^id$|Id$/.test(key) && key !== 'teamId';
}

/** Whether it repeats a credential where nothing can be put in its place. */
function isEcho(key: string, value: unknown, redact: Redact): boolean {
  if (typeof value === 'string')
    return isId(key) && value.length >= TELLING && redact(value, TELLING_IN_AN_ID) !== value;
  const text = String(value);
  return typeof value === 'number' && text.length >= TELLING && redact(text, TELLING) !== text;
}

/** Every text and number in a JSON value, each with the key that it, or its list, has. */
function membersOf(value: unknown, key = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([own, each]) => membersOf(each, Array.isArray(value) ? key : own));
}

function redacted(value: unknown, key: string, known: ReadonlySet<unknown>, redact: Redact): unknown {
  if (typeof value === 'string') return isId(key) || known.has(value) ? value : redact(value, TELLING);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => redacted(each, key, known, redact));
  return Object.fromEntries(
    Object.entries(value).map(([own, each]) => [own, redacted(each, own, known, redact)]),
  );
}

/** What the interface documents of a value that fits its schema. */
function documented(value: unknown, fields: DocumentedFields): unknown {
  if (fields === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((each) => documented(each, (fields as readonly [DocumentedFields])[0]));
  const known = Object.entries(fields).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    known.map(([name, below]) => [name, documented(Reflect.get(value, name), below)]),
  );
}

/** A key that ends in `id`, with a text or a number behind it; what follows the longest text is not looked at. */
const ID_MEMBER =
  /"((?:[^"\\]{0,40}(?:[^a-zA-Z"\\]|[a-z](?=I)))?(?:id|ID|Id)|[gu]uid)"\s{0,20}:\s{0,20}(?:"((?:[^"\\]|\\.){1,500})("?)|(-?\d[\d.eE+-]{0,40})(?=\s{0,20}[,}\]]))/g;
const MOST_OF_AN_ID = 500;
/** The part of a body in which escapes are looked for: IDs have none, unless somebody plays with them. */
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

/** The ids that an answer names which can't be read as one: not as documented, broken, or cut short. */
export function idsIn(body: Buffer, redact: Redact): NamedIds {
  // UTF-16 is UTF-8 with NULs, as far as ids go.
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
    const named = unescaped(id ?? number ?? '').slice(0, MOST_OF_AN_ID);
    found.add(named);
    if (key === 'id' && depth <= MOST_LEVELS_OF_A_RECORD) own.push({ depth, id: named });
  }
  const ids = new Set(levels.flatMap((found) => [...found]));
  const outermost = Math.min(...own.map(({ depth }) => depth));
  return {
    ids: [...ids].slice(0, MOST_IDS).map((id) => redact(id, TELLING)),
    own: own.filter((each) => each.depth === outermost).map(({ id }) => id),
  };
}

/** The ID that was asked for, and the name that was sent. */
export interface Asked {
  readonly id: unknown;
  readonly name: unknown;
}

/**
 * Whether an answer holds a record, as it is or in an envelope, with whatever is wrong about its fields. No request has
 * a `teamId`; what has none may be an echo of the request, unless its ID is new.
 */
export function holdsRecord(body: Buffer, asked: Asked): boolean {
  const parsed = body.length > MOST_MEBIBYTES * 2 ** 20 ? undefined : parseJson(body);
  if (!parsed?.ok || typeof parsed.value !== 'object' || parsed.value === null) return false;
  return [parsed.value, ...Object.values(parsed.value)].some((value) => isRecord(value, asked));
}

function isRecord(value: unknown, asked: Asked): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, teamId } = value as Readonly<Record<string, unknown>>;
  const hasId = typeof id === 'string' || typeof id === 'number';
  return (
    hasId &&
    typeof name === 'string' &&
    (typeof teamId === 'string' || (name === asked.name && id !== asked.id))
  );
}

function plainCharacter(written: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return /["\\]/.test(character) ? written : character;
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

function problemOf(error: { instancePath: string; message?: string | undefined } | undefined): string {
  const place = error?.instancePath ? ` at ${error.instancePath}` : '';
  return `it is not what the interface documents${place}: ${error?.message ?? 'invalid'}`;
}
