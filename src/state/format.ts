import type { ErrorObject } from 'ajv';
import { validate } from '../../generated/state.js';
import { type Address, kindOf } from '../catalog/model.ts';
import { isRecordId } from '../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { canonicalJson } from './canonical-json.ts';
import { IdHolders } from './id-holders.ts';
import type { ResourceRecord, State } from './model.ts';
import { compareImported, comparePending, compareRetired } from './state-order.ts';

const FORMAT_VERSION = 1;
const MOST_PROBLEMS_SHOWN = 10;
const PUT_BACK = 'Put back the last good version of this file (git has it where it is committed).';

/**
 * The state as text: sorted keys and lists, two spaces, a final newline, so that equal
 * states are equal text and a diff shows what changed and nothing else.
 */
export function formatState(state: State): string {
  const retired = [...state.retired].sort(compareRetired);
  const pending = [...state.pending].sort(comparePending);
  const { imported: _, ...rest } = state;
  const imported = [...state.imported].sort(compareImported);
  return canonicalJson({ ...rest, retired, pending, ...(imported.length > 0 && { imported }) });
}

/**
 * Text -> state. `path` is where it was read, for the diagnostics. Fails for text that is not JSON, for a format
 * newer than this Trove knows, and for everything that does not fit `schemas/state.schema.json`.
 */
export function parseState(text: string, path: string): Result<State> {
  const parsed = parseJson(text, path);
  if (!parsed.ok) return parsed;
  const newer = newerFormat(parsed.value, path);
  if (newer) return failure(newer);
  return checkState(parsed.value, path);
}

/** The same for a value that may be a state: what a journal makes of one, say. */
export function checkState(value: unknown, path: string): Result<State> {
  if (!validate(value)) return failure(...describeProblems(validate.errors ?? [], path));
  const unusable = unusableId(value as State);
  if (unusable) return failure(problem(path, unusable));
  // Hardly any state has imported ids, so the list is only written where it is not empty.
  const state: State = { imported: [], ...(value as Omit<State, 'imported'>) };
  const twice = state.pending.find(
    ({ address }, at) => state.pending.findIndex((p) => p.address === address) < at,
  );
  if (twice) return failure(problem(path, `pending lists ${twice.address} twice.`));
  const shared = sharedId(state);
  if (shared) return failure(problem(path, shared));
  return success(state);
}

/** What can't be the id of a record in an answer is none here either: it becomes part of a path. */
function unusableId({
  resources,
  retired,
  imported = [],
  forgotten = {},
}: Partial<State>): string | undefined {
  const live = Object.entries(resources ?? {}).map(([address, { id }]) => ({ address, id }));
  const forgottenIds = Object.entries(forgotten).map(([address, { id }]) => ({ address, id }));
  const found = [...live, ...(retired ?? []), ...imported, ...forgottenIds].find(({ id }) => !isRecordId(id));
  return found && `${found.address} has the id ${JSON.stringify(found.id)}, which no record can have.`;
}

/** One record under two addresses would be overwritten by each in turn. */
function sharedId({ resources }: State): string | undefined {
  const holders = new IdHolders();
  for (const [address, { id }] of Object.entries(resources) as [Address, ResourceRecord][]) {
    const other = holders.of(kindOf(address), id);
    if (other !== undefined) return `${other} and ${address} have one id, ${JSON.stringify(id)}.`;
    holders.set(id, address);
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

function newerFormat(value: unknown, path: string): Diagnostic | undefined {
  const version = (value as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof version !== 'number' || version <= FORMAT_VERSION) return undefined;
  return error(
    'state-format-newer',
    `The state was written by a newer Trove: it has format ${version}, and this version reads format ${FORMAT_VERSION}.`,
    { subject: path, hint: 'Use the version of Trove that wrote it, or a later one.' },
  );
}

function describeProblems(errors: readonly ErrorObject[], path: string): readonly Diagnostic[] {
  const shown = errors.slice(0, MOST_PROBLEMS_SHOWN).map(describeProblem);
  const rest = errors.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more problems of this kind.`] : shown;
  // What to do is the same for all of them, and is said once.
  return all.map((what, at) => {
    const { hint, ...told } = problem(path, what);
    return at === all.length - 1 && hint !== undefined ? { ...told, hint } : told;
  });
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
