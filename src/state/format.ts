import type { ErrorObject } from 'ajv';
import { validate } from '../../generated/state.js';
import { kindOf } from '../catalog/model.ts';
import { isRecordId } from '../contract/api.ts';
import { exceeds, FILE_BOUNDS } from '../contract/json-structure.ts';
import {
  type Contradiction,
  type Diagnostic,
  error,
  failure,
  type InvalidState,
  type Result,
  success,
} from '../text/diagnostic.ts';
import { EntryTable } from './entries.ts';
import { forgottenIds, isHolding } from './entry.ts';
import type { State, StateEntry } from './model.ts';
import { compareEntries } from './order.ts';

const FORMAT_VERSION = 2;

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
  const invalid = (flaw: InvalidState) => failure(error('state-invalid', flaw, { subject: path }));
  if (exceeds(text, FILE_BOUNDS)) return invalid({ flaw: 'too-much', ...FILE_BOUNDS });
  const parsed = parseJson(text, path);
  if (!parsed.ok) return parsed;
  const other = otherFormat(
    'state',
    (parsed.value as { formatVersion?: unknown } | null)?.formatVersion,
    path,
  );
  if (other) return failure(other);
  const flaw = flawOf(parsed.value);
  return flaw ? invalid(flaw) : success(parsed.value as State);
}

/** Why a value is no state: also one that a journal makes of a state, say. */
export function flawOf(value: unknown): InvalidState | undefined {
  return validate(value) ? contradiction((value as State).entries) : misfit(validate.errors ?? []);
}

function idsOf(entry: StateEntry): readonly string[] {
  if (entry.status === 'forgotten') return forgottenIds(entry);
  if (entry.status !== 'pending') return [entry.id];
  // What an answer named that could not be read as one (`otherId`) is only ever shown.
  return [entry.request.body.id, entry.answer?.id].filter((id) => typeof id === 'string');
}

/** What the schema can't see. */
function contradiction(entries: readonly StateEntry[]): Contradiction | undefined {
  const all = new EntryTable(entries);
  for (const entry of entries) {
    const { address, status } = entry;
    // It becomes part of a path: what can't be the ID of a record in an answer can't be one here either.
    const wrong = idsOf(entry).find((id) => !isRecordId(id));
    if (wrong !== undefined) return { flaw: 'unusable-id', address, id: wrong };
    if (status !== 'retired' && all.find(status, address) !== entry)
      return { flaw: 'repeated-entry', address, status };
    // One record under two addresses would be overwritten by each in turn.
    const holder = isHolding(entry) ? all.holderOf(kindOf(address), entry.id) : undefined;
    if (isHolding(entry) && holder !== undefined && holder !== address)
      return { flaw: 'repeated-id', addresses: [holder, address], id: entry.id };
  }
  return undefined;
}

function parseJson(text: string, path: string): Result<unknown> {
  try {
    return success(JSON.parse(text));
  } catch (cause) {
    const isConflict = /^<{7} /m.test(text);
    const syntax = { why: 'syntax', ...placeOf(cause as SyntaxError) } as const;
    return failure(
      error('state-not-json', isConflict ? { why: 'merge-conflict' } : syntax, { subject: path }),
    );
  }
}

/** Where it is wrong. The parser's own message quotes the file, which may be any file that a link leads to. */
function placeOf({ message }: SyntaxError) {
  const found = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message);
  if (!found) return {};
  const [position = 0, line, column] = found.slice(1).map(Number);
  return { position, ...(line && { line }), ...(column && { column }) };
}

/** The state and its journal share one format. Undefined for the current version, or none. */
export function otherFormat(
  file: 'state' | 'journal',
  version: unknown,
  path: string,
): Diagnostic | undefined {
  if (typeof version !== 'number' || version === FORMAT_VERSION) return undefined;
  const age = version > FORMAT_VERSION ? 'newer' : 'older';
  return error(`${file}-format-${age}`, { found: version, known: FORMAT_VERSION }, { subject: path });
}

function misfit([first, ...others]: readonly ErrorObject[]): InvalidState {
  const { instancePath: place = '', message: said, params = {} } = first ?? {};
  const about = params.additionalProperty ?? params.propertyName ?? params.allowedValue;
  return { flaw: 'schema', place, said, about, more: others.length };
}
