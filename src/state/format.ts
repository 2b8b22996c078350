import type { ErrorObject } from 'ajv';
import { validate } from '../../generated/state.js';
import { kindOf } from '../catalog/model.ts';
import { isRecordId } from '../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { compareEntries, EntryTable } from './entries.ts';
import type { State, StateEntry } from './model.ts';

const FORMAT_VERSION = 2;
const PUT_BACK = 'Put back the last good version of this file (git has it where it is committed).';

/**
 * The state as text: sorted keys and entries, two spaces, a final newline, so that equal states are equal text and a
 * diff shows what changed and nothing else. Keys are sorted by code units.
 */
export function formatState(state: State): string {
  const entries = [...state.entries].sort(compareEntries);
  // A sorted copy and the built-in writer are four times as fast as writing the text piece by piece.
  return `${JSON.stringify(sorted({ ...state, entries }), null, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  // fromEntries defines what it is given, so that a key `__proto__` is a key like any other.
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
  return Object.fromEntries(entries);
}

/**
 * Text -> state. `path` is where it was read, for the diagnostics. Fails for text that is not JSON, for a format
 * that this Trove does not read, and for everything that does not fit `schemas/state.schema.json`.
 */
export function parseState(text: string, path: string): Result<State> {
  const parsed = parseJson(text, path);
  if (!parsed.ok) return parsed;
  const other = otherFormat(
    'state',
    (parsed.value as { formatVersion?: unknown } | null)?.formatVersion,
    path,
  );
  if (other) return failure(other);
  return checkState(parsed.value, path);
}

/** The same for a value that may be a state: what a journal makes of one, say. */
export function checkState(value: unknown, path: string): Result<State> {
  if (!validate(value)) {
    const [first, ...others] = validate.errors ?? [];
    const more = others.length > 0 ? ` ${pluralize(others.length, 'more problem')} of this kind.` : '';
    return failure(problem(path, `${first ? describeProblem(first) : ''}${more}`));
  }
  const state = value as State;
  const wrong = contradiction(state.entries);
  return wrong === undefined ? success(state) : failure(problem(path, wrong));
}

function idsOf(entry: StateEntry): readonly string[] {
  if (entry.status !== 'pending') return [entry.id];
  // What an answer named that could not be read as one (`otherId`) is only ever shown.
  return [entry.request.body.id, entry.answer?.id].filter((id) => typeof id === 'string');
}

/** What the schema can't see. */
function contradiction(entries: readonly StateEntry[]): string | undefined {
  const seen = new EntryTable();
  for (const entry of entries) {
    const { address, status } = entry;
    // It becomes part of a path: what can't be the ID of a record in an answer can't be one here either.
    const wrong = idsOf(entry).find((id) => !isRecordId(id));
    if (wrong !== undefined)
      return `${address} has the id ${JSON.stringify(wrong)}, which no record can have.`;
    if (status !== 'retired' && seen.find(status, address))
      return `${address} has two entries that are ${status}.`;
    // One record under two addresses would be overwritten by each in turn.
    const other =
      status === 'live' ? seen.find('live', seen.holderOf(kindOf(address), entry.id) ?? address) : undefined;
    if (other && status === 'live' && other.id === entry.id)
      return `${other.address} and ${address} have one id, ${JSON.stringify(entry.id)}.`;
    seen.add(entry);
  }
  return undefined;
}

function parseJson(text: string, path: string): Result<unknown> {
  try {
    return success(JSON.parse(text));
  } catch (cause) {
    const conflict = /^<{7} /m.test(text);
    const what = conflict ? 'It holds the marks of an unfinished git merge.' : jsonProblem(cause);
    return failure(
      error('state-not-json', `The state is not valid JSON. ${what}`, {
        subject: path,
        hint: conflict ? `Finish the merge: take one side whole. ${PUT_BACK}` : PUT_BACK,
      }),
    );
  }
}

/** Where it is wrong. The parser's own message quotes the file, which may be any file that a link leads to. */
function jsonProblem(cause: unknown): string {
  const place = /position \d+(?: \(line \d+ column \d+\))?/.exec((cause as SyntaxError).message)?.[0];
  return place ? `It is wrong at ${place}.` : 'It ends too early, or holds something else.';
}

/** The state and its journal share one format. Undefined for the current version, or none. */
export function otherFormat(
  file: 'state' | 'journal',
  version: unknown,
  path: string,
): Diagnostic | undefined {
  if (typeof version !== 'number' || version === FORMAT_VERSION) return undefined;
  const isNewer = version > FORMAT_VERSION;
  return error(
    `${file}-format-${isNewer ? 'newer' : 'older'}`,
    `The ${file} was written by ${isNewer ? 'a newer' : 'an older'} Trove: it has format ${version}, and this version reads format ${FORMAT_VERSION}.`,
    {
      subject: path,
      hint: `Use the version of Trove that wrote it${isNewer ? ', or a later one' : ''}.`,
    },
  );
}

function describeProblem({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the top level' : instancePath;
  const detail = params.additionalProperty ?? params.propertyName ?? params.allowedValue;
  const named = detail === undefined ? '' : ` (${JSON.stringify(detail)})`;
  return `at ${place}: ${message ?? 'it has the wrong form'}${named}.`;
}

function problem(path: string, what: string): Diagnostic {
  return error('state-invalid', `The state does not have the form of a state: ${what}`, {
    subject: path,
    hint: `${PUT_BACK} A state is written by Trove only; don't edit it by hand.`,
  });
}
