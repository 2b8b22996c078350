import { Classifier, Item, UserSpaceLinks } from '../../generated/wire.js';
import { isRecordId } from '../contract/limits.ts';
import type { Operation } from '../contract/routes.ts';
import type { WireClassifier, WireItem, WireSpaceLink } from '../contract/wire.ts';
import { parseJson } from './json.ts';

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
      /** The id that the answer names all the same, so that it is not lost. */
      readonly id?: string;
    };

const validators = {
  createItem: Item,
  updateItem: Item,
  createClassifier: Classifier,
  updateClassifier: Classifier,
  listUserSpaces: UserSpaceLinks,
} satisfies Record<Operation, typeof Item>;

/** Would be taken for a promise of a plan. */
const promised = /^\$knownAfterApply/;

/**
 * Reads the body of a success: bytes to JSON to the documented shape. Further fields are kept. `problem`
 * says what is wrong with "it", the answer, without quoting it.
 */
export function readAnswer<O extends Operation>(operation: O, bytes: Uint8Array): Answer<O> {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return parsed;
  const validate = validators[operation];
  if (!validate(parsed.value)) {
    return { ok: false, problem: problemOf(validate.errors?.[0]), ...idIn(parsed.value) };
  }
  // The validator has just said that it is one.
  const body = parsed.value as Answers[O];
  if ('id' in body && (!isRecordId(body.id) || promised.test(body.id)))
    return { ok: false, problem: "its id can't be part of a path", ...idIn(body) };
  return { ok: true, body };
}

/** Longer than any id by far; what stands behind it can't be typed anyway. */
const MOST_OF_AN_ID = 500;

/** The id of a record that is not what the interface documents: a number, say, or one level further in. */
function idIn(value: unknown): { readonly id?: string } {
  const [only, ...others] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const own = ownId(value) ?? (others.length === 0 ? ownId(only) : undefined);
  return own === undefined ? {} : { id: own.slice(0, MOST_OF_AN_ID) };
}

function ownId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined;
}

/** The id that the beginning of an answer names whose end never came. */
export function idInPart(bytes: Buffer): { readonly id?: string } {
  const found = /^\s*\{\s*"id"\s*:\s*(?:"([^"\\]{1,191})"|(\d{1,15})\s*,)/.exec(
    bytes.toString('utf8', 0, 1024),
  );
  const id = found?.[1] ?? found?.[2];
  return id === undefined ? {} : { id };
}

function problemOf(error: { instancePath: string; message?: string | undefined } | undefined): string {
  const place = error?.instancePath ? ` at ${error.instancePath}` : '';
  return `it is not what the interface documents${place}: ${error?.message ?? 'invalid'}`;
}
