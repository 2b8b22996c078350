import { isUtf8 } from 'node:buffer';
import { Classifier, Item, UserSpaceLinks } from '../../generated/wire.js';
import { type DocumentedFields, documentedFields } from '../../generated/wire-fields.js';
import { isRecordId, type Operation } from '../contract/api.ts';
import { BODY_BOUNDS, exceeds, structureProblems } from '../contract/json-structure.ts';
import type { Redact } from '../contract/redact.ts';
import type { AnswerProblem } from './outcome.ts';

/** The API documents no limit. Records are far smaller, and what is kept of all of them has to fit into one state. */
const MOST_MEBIBYTES = 4;

type ParsedJson =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly problem: AnswerProblem };

/** Parses the bytes of a JSON text from another machine: UTF-8 only, at most 4 MiB and 32 levels deep. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (bytes.length > MOST_MEBIBYTES * 2 ** 20)
    return unusable({ code: 'too-large', mebibytes: MOST_MEBIBYTES });
  if (!isUtf8(bytes)) return unusable({ code: 'not-utf8' });
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return unusable({ code: 'empty' });
  if (exceeds(text, BODY_BOUNDS)) return unusable({ code: 'too-deep', ...BODY_BOUNDS });
  try {
    return { ok: true, value: JSON.parse(text), text };
  } catch {
    return unusable({ code: 'not-json' });
  }
}

function unusable(problem: AnswerProblem) {
  return { ok: false, problem } as const;
}

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
 * Reads the body of a success: bytes to JSON to the shape that is documented for the operation. Only documented fields
 * are kept, and no text with a credential in it, unless `known`, which holds the body of the request, has the same
 * text.
 */
export function readAnswer(
  operation: Operation,
  bytes: Buffer,
  redact: Redact,
  known?: unknown,
): { readonly ok: true; readonly body: object } | { readonly ok: false; readonly problem: AnswerProblem } {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return parsed;
  const { value, text } = parsed;
  const { validate, fields } = shapes[operation];
  const [repeated] = structureProblems(text);
  if (repeated) {
    const { field } = repeated;
    return unusable({ code: 'repeated-key', ...(Object.hasOwn(fields, field) && { field }) });
  }
  if (!validate(value)) return unusable(misfit(validate.errors?.[0]));
  const { id } = value as { readonly id?: string };
  if (id !== undefined && !isRecordId(id)) return unusable({ code: 'unusable-id' });
  const reading: Reading = { known: primitivesIn(known), redact };
  const body = documented(value, fields, '', reading) as object;
  const { echo } = reading;
  return echo === undefined ? { ok: true, body } : unusable({ code: 'credential', field: echo });
}

function misfit(error: { instancePath: string; message?: string | undefined } | undefined): AnswerProblem {
  return { code: 'undocumented', place: error?.instancePath ?? '', said: error?.message };
}

interface Reading {
  readonly known: ReadonlySet<unknown>;
  readonly redact: Redact;
  /** The first key whose value repeats a credential where nothing can be put in its place. */
  echo?: string;
}

/** What the interface documents of a value that fits its schema, without credentials. */
function documented(value: unknown, fields: DocumentedFields, key: string, reading: Reading): unknown {
  if (fields === true || typeof value !== 'object' || value === null)
    return withoutCredential(value, key, reading);
  if (Array.isArray(value)) {
    const [element = true] = fields as readonly [DocumentedFields];
    return value.map((each) => documented(each, element, key, reading));
  }
  const known = Object.entries(fields).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    known.map(([name, below]) => [name, documented(Reflect.get(value, name), below, name, reading)]),
  );
}

/** A shorter credential is a part of many words by chance. */
export const TELLING = 8;
/**
 * An ID is needed to go on, so it is kept whole or not at all: with a shorter credential as a part of it, it most
 * likely is what it looks like.
 */
const TELLING_IN_AN_ID = 12;

function withoutCredential(value: unknown, key: string, reading: Reading): unknown {
  const { known, redact } = reading;
  // The team's is compared with the expected one and not kept.
  const isId = /^id$|Id$/.test(key) && key !== 'teamId';
  const isText = typeof value === 'string';
  if (known.has(value) || (!isText && typeof value !== 'number')) return value;
  if (isText && !isId) return redact(value, TELLING);
  const text = String(value);
  if (text.length >= TELLING && redact(text, isText ? TELLING_IN_AN_ID : TELLING) !== text)
    reading.echo ??= key;
  return value;
}

function primitivesIn(value: unknown): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  JSON.stringify(value, (_, each) => {
    found.add(each);
    return each;
  });
  return found;
}
