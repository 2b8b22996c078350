import type { Catalog, Kind } from '../catalog/model.ts';
import type { WireClassifier } from '../contract/wire.ts';
import { optionIdsByName } from '../resources/classifier.ts';
import { differences, type Fields } from '../resources/fields.ts';
import type { Names } from '../resources/kind.ts';
import { type AnyAnswer, declarationsOf, kinds } from '../resources/registry.ts';
import type { RecordedRequest, RecordOrigin, ResourceRecord } from '../state/model.ts';
import type { Verified } from './writer.ts';

export interface Answered {
  readonly kind: Kind;
  readonly key: string;
  readonly request: RecordedRequest;
  readonly answer: AnyAnswer;
  /** What the record should be after the write. */
  readonly target: Fields;
  /** Whose option ids stay with their keys. */
  readonly previous: Pick<ResourceRecord, 'options'> | undefined;
  readonly at: string;
  readonly origin?: RecordOrigin;
}

/** The record that an answer leaves: compared with what was wanted, field by field, before it counts. */
export function recordOf(answered: Answered, catalog: Catalog, names: Names): Verified {
  const { kind, key, request, answer, target, previous, at, origin } = answered;
  const options =
    kind === 'classifier' ? optionsOf(key, answer as WireClassifier, previous, catalog) : undefined;
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

/** An id once matched stays with its key while the service still answers it; new ones are matched by name. */
function optionsOf(key: string, answer: WireClassifier, previous: Answered['previous'], catalog: Catalog) {
  const answeredIds = new Set(answer.classifierOptions.map(({ id }) => id));
  const kept = Object.entries(previous?.options ?? {}).filter(([, id]) => answeredIds.has(id));
  const keptKeys = new Set(kept.map(([option]) => option));
  const keptIds = new Set(kept.map(([, id]) => id));
  const declared = Object.entries(catalog.classifiers.get(key)?.declaration.options ?? {});
  const unmatched = declared
    .filter(([option]) => !keptKeys.has(option))
    .map(([option, { name }]) => [option, name] as const);
  const rest = answer.classifierOptions.filter(({ id }) => !keptIds.has(id));
  return { ...Object.fromEntries(kept), ...optionIdsByName(unmatched, rest) };
}
