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
    return { ok: false, problem: "its id can't be part of a path", id: body.id };
  return { ok: true, body };
}

function idIn(value: unknown): { readonly id?: string } {
  const known = typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
  return known ? { id: String(value.id) } : {};
}

function problemOf(error: { instancePath: string; message?: string | undefined } | undefined): string {
  const place = error?.instancePath ? ` at ${error.instancePath}` : '';
  return `it is not what the interface documents${place}: ${error?.message ?? 'invalid'}`;
}
