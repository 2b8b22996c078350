import { Classifier, Item, UserSpaceLinks } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { structureProblems, valuesAt } from '../contract/json-structure.ts';
import { isRecordId } from '../contract/limits.ts';
import type { Operation } from '../contract/routes.ts';
import type { WireClassifier, WireItem, WireSpaceLink } from '../contract/wire.ts';
import { parseJson } from './json.ts';
import { mapStrings, type Redact, stringsIn } from './redact.ts';

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
  | {
      readonly ok: false;
      readonly problem: string;
      /** The ids that the answer names all the same, so that they are not lost. */
      readonly ids: readonly string[];
    };

const item = { validate: Item, fields: documentedFields.Item };
const classifier = { validate: Classifier, fields: documentedFields.Classifier };
const shapes = {
  createItem: item,
  updateItem: item,
  createClassifier: classifier,
  updateClassifier: classifier,
  listUserSpaces: { validate: UserSpaceLinks, fields: documentedFields.UserSpaceLinks },
} satisfies Record<Operation, unknown>;

/**
 * Reads the body of a success: bytes to JSON to the documented shape. Only documented fields are kept, and no text
 * with a credential in it, unless `sent`, the body of the request, has the same text. `problem` says what is wrong
 * with "it", the answer, without quoting it.
 */
export function readAnswer<O extends Operation>(
  operation: O,
  bytes: Uint8Array,
  redact: Redact,
  sent?: object,
): Answer<O> {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return { ok: false, problem: parsed.problem, ids: [] };
  const { value, text } = parsed;
  const unusable = (problem: string, ids = idsIn(value)) =>
    ({ ok: false, problem, ids: ids.map(shortened) }) as const;
  const [repeated] = structureProblems(text);
  if (repeated)
    return unusable(`its \`${repeated.field}\` ${repeated.message}`, repeatedIds(text) ?? idsIn(value));
  const { validate, fields } = shapes[operation];
  if (!validate(value)) return unusable(problemOf(validate.errors?.[0]));
  // The validator has just said that it is one.
  const own = documented(value, fields) as Answers[O];
  if ('id' in own && !isRecordId(own.id)) return unusable("its id can't be part of a path");
  const known = stringsIn(sent);
  const body = mapStrings(own, (text) => (known.has(text) ? text : redact(text, TELLING))) as Answers[O];
  const ids = recordIds(body);
  if (recordIds(own).some((id, at) => id !== ids[at]))
    return unusable('an id in it holds a credential', 'id' in body ? [body.id] : []);
  return { ok: true, body };

  function shortened(id: string): string {
    return redact(id, TELLING).slice(0, MOST_OF_AN_ID);
  }
}

/** A shorter credential is a part of many words and IDs by chance. */
const TELLING = 8;

/** Every ID in an answer but the team's, which is compared and not kept. */
function recordIds(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    /^id$|Id$/.test(key) && key !== 'teamId' ? [each] : recordIds(each),
  );
}

/** Longer than any id by far; what stands behind it can't be typed anyway. */
const MOST_OF_AN_ID = 500;

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

/** The id of a record that is not what the interface documents: a number, say, or one level further in. */
function idsIn(value: unknown): readonly string[] {
  const [only, ...others] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const own = ownId(value) ?? (others.length === 0 ? ownId(only) : undefined);
  return own === undefined ? [] : [own];
}

function ownId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined;
}

/** All that stand in the answer under `id`; undefined where that is no more than one. */
function repeatedIds(text: string): readonly string[] | undefined {
  const ids = valuesAt(text, 'id').map((written) => String(JSON.parse(written)));
  return ids.length > 1 ? ids : undefined;
}

/** The id that the beginning of an answer names whose end never came. */
export function idsInPart(bytes: Buffer): readonly string[] {
  const found = /^\s*\{\s*"id"\s*:\s*(?:"([^"\\]{1,191})"|(\d{1,15})\s*,)/.exec(
    bytes.toString('utf8', 0, 1024),
  );
  const id = found?.[1] ?? found?.[2];
  return id === undefined ? [] : [id];
}

function problemOf(error: { instancePath: string; message?: string | undefined } | undefined): string {
  const place = error?.instancePath ? ` at ${error.instancePath}` : '';
  return `it is not what the interface documents${place}: ${error?.message ?? 'invalid'}`;
}
