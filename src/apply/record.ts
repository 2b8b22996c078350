import type { Catalog, Kind, OptionDeclaration } from '../catalog/model.ts';
import type { WireClassifier } from '../contract/api.ts';
import type { Change } from '../plan/model.ts';
import { optionIdsByName } from '../resources/classifier.ts';
import {
  differences,
  type Fields,
  fields,
  groupOf,
  type Members,
  membersOf,
  type Names,
  withDifferences,
} from '../resources/fields.ts';
import { type AnyAnswer, declarationsOf, kinds, knownFields } from '../resources/registry.ts';
import type { Holding } from '../state/entry.ts';
import type { RecordedRequest, RecordOrigin, ResourceRecord } from '../state/model.ts';
import type { Verified } from './model.ts';
import type { Run } from './run.ts';

export interface Answered {
  readonly kind: Kind;
  readonly key: string;
  readonly request: RecordedRequest;
  readonly answer: AnyAnswer;
  /** What the record should be after the write. */
  readonly target: Fields;
  /** If it is the same record, its option IDs stay with their keys. */
  readonly previous: Holding | undefined;
  readonly at: string;
  readonly origin?: RecordOrigin;
}

/** The record that an answer leaves: compared with what was wanted, field by field, before it counts. */
export function recordOf(answered: Answered, catalog: Catalog, names: Names): Verified {
  const { kind, key, request, answer, target, at, origin } = answered;
  const options = kind === 'classifier' ? optionsOf(answered, catalog) : undefined;
  const notTaken = differences(kinds[kind].answered(answer, names, options), target);
  const declared = declarationsOf(catalog, kind).get(key);
  const record: ResourceRecord = {
    id: answer.id,
    answer,
    sent: request,
    at,
    confidence: notTaken.length === 0 ? 'verified' : 'diverged',
    ...(options && { options }),
    ...(origin && { origin }),
    ...(notTaken.length > 0 && {
      diverged: Object.fromEntries(notTaken.map(({ path, after }) => [path, after])),
    }),
    ...(declared?.declaration.lifecycle?.protect && { protect: true }),
  };
  return { record, notTaken };
}

/**
 * An update that carries options leaves them by name, whatever they were before. Else an ID that an answer has shown stays
 * with its key, and new ones are matched by name. An ID that this answer leaves out stays as well, unless the update took
 * its option away: nothing can look it up.
 */
function optionsOf(answered: Answered, catalog: Catalog): Readonly<Record<string, string>> {
  const { key, request, target, previous } = answered;
  const shown = (answered.answer as WireClassifier).classifierOptions;
  const shownIds = new Set(shown.map(({ id }) => id));
  const declared = Object.entries(catalog.classifiers.get(key)?.declaration.options ?? {});
  const wanted = membersOf<OptionDeclaration>(target, 'options');
  const known = knownOptions(answered, shownIds);
  // An option that no key has goes by its ID, and gets no key by that.
  const keys = keysOf([...known, ...declared]);
  const named = (wanted.length > 0 ? wanted : declared).filter(([option]) => keys.has(option));
  const isSent = request.body.classifierOptions !== undefined;
  const isProven = previous !== undefined && 'answer' in previous;
  const kept = isSent ? [] : known.filter(([, id]) => isProven || shownIds.has(id));
  const keptIds = new Set(kept.map(([, id]) => id));
  const rest = shown.filter(({ id }) => !keptIds.has(id));
  const matched = { ...optionIdsByName(named, rest), ...Object.fromEntries(kept) };
  const taken = new Set(Object.values(matched));
  const left = known.filter(([, id]) => !taken.has(id));
  const goOn = keysOf(wanted);
  const stay = left.filter(([option, id]) => !isSent || shownIds.has(id) || goOn.has(option));
  return { ...Object.fromEntries(stay), ...matched };
}

function keysOf(members: Members<unknown>): ReadonlySet<string> {
  return new Set(members.map(([key]) => key));
}

/** Those of the same record; an ID that only its last answer has becomes its own key once it is left out. */
function knownOptions({ previous, answer }: Answered, shownIds: ReadonlySet<string>): Members<string> {
  if (previous?.id !== answer.id) return [];
  const options = Object.entries(previous.options ?? {});
  const before = 'answer' in previous ? (previous.answer as WireClassifier).classifierOptions : [];
  const keyed = new Set(options.map(([, id]) => id));
  const left = before.filter(({ id }) => !keyed.has(id) && !shownIds.has(id));
  return [...options, ...left.map(({ id }) => [id, id] as const)];
}

/** What the record should be once the change is made: everything declared, or what is known with the change. */
function targetOf({ address, kind, key, action, remoteId, fields: changed }: Change, run: Run): Fields {
  const { recorder, catalog } = run.ports;
  // Of an imported record nothing is known but what is sent.
  if (action === 'adopt' && remoteId !== null)
    return fields(
      changed.map(({ path }) => groupOf(path)),
      changed.filter(({ after }) => after !== null).map(({ path, after }) => [path, after] as const),
    );
  const isNew = action === 'create' || action === 'replace';
  const known = isNew
    ? undefined
    : (recorder.entries.find('live', address) ?? recorder.entries.find('retired', address));
  if (known) return withDifferences(knownFields(kind, known, run.names()), changed);
  const declared = declarationsOf(catalog, kind).get(key);
  return declared ? kinds[kind].desired(declared.declaration) : fields([], []);
}

/**
 * What the record should be by an answer to this very request. An update that settles a create carries only what the
 * profile allows; what it leaves out was not refused, and the next plan compares it.
 */
export function targetOfRequest(change: Change, { method, body }: RecordedRequest, run: Run): Fields {
  const target = targetOf(change, run);
  const isSettled = method === 'PUT' && (change.remoteId === null || change.action === 'replace');
  if (!isSettled) return target;
  const isSent = (group: string) =>
    (group !== 'thumbnail' || 'thumbnail' in body) &&
    (group !== 'classifiers' || 'classifierOptionIds' in body);
  return fields(
    [...target.groups].filter(isSent),
    [...target.values].filter(([path]) => isSent(groupOf(path))),
  );
}

/** The update that would make it so. */
export function updateBodyOf(change: Change, run: Run): RecordedRequest['body'] {
  const target = targetOf(change, run);
  return kinds[change.kind].updateBody(target, target.groups, run.ports.environment.profile, run.names());
}
