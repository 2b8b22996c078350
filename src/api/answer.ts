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
  const [repeated] = structureProblems(text);
  if (repeated) return unusable(`its \`${repeated.field}\` ${repeated.message}`);
  const { validate, fields } = shapes[operation];
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
 * An ID is needed to go on, so it is kept whole or not at all: with a shorter credential in it, or with one that is
 * nothing but a short word, it most likely is what it looks like.
 */
const TELLING_IN_AN_ID = 12;

/** The team's is compared with the expected one and not kept. */
function isId(key: string): boolean {
  return /^id$|Id$/.test(key) && key !== 'teamId';
}

function redactId(id: string, redact: Redact): string {
  return id.length < TELLING_IN_AN_ID ? id : redact(id, TELLING_IN_AN_ID);
}

/** Whether it repeats a credential where nothing can be put in its place. */
function isEcho(key: string, value: unknown, redact: Redact): boolean {
  if (typeof value === 'string') return isId(key) && redactId(value, redact) !== value;
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
const MOST_IDS = 10;
const MOST_LEVELS = 32;
const BRACKETS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/**
 * The ids that an answer names which can't be read as one: not as documented, broken, or cut short. The ids nearest to
 * the outside come first, since the others are those of options.
 */
export function idsIn(body: Buffer, redact: Redact): readonly string[] {
  // UTF-16 is UTF-8 with NULs, as far as ids go.
  const text = body
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/\\u00([2-7][0-9a-f])/gi, plainCharacter);
  const levels = Array.from({ length: MOST_LEVELS }, () => new Set<string>());
  let depth = 0;
  let at = 0;
  for (const { 0: member, 1: key = '', 2: id, 3: end, 4: number, index } of text.matchAll(ID_MEMBER)) {
    for (; at < index; at += 1) depth += BRACKETS[text.charAt(at)] ?? 0;
    at = index + member.length;
    const found = levels[Math.min(Math.max(depth, 0), MOST_LEVELS - 1)];
    const isWhole = id === undefined || end === '"' || id.length >= MOST_OF_AN_ID;
    if (!found || found.size === MOST_IDS || !isWhole || /^(?:team|user|attribute)/i.test(key)) continue;
    found.add(unescaped(id ?? number ?? '').slice(0, MOST_OF_AN_ID));
  }
  const ids = new Set(levels.flatMap((found) => [...found]));
  return [...ids].slice(0, MOST_IDS).map((id) => redactId(id, redact));
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
