import type { Catalog, Kind, OptionDeclaration } from '../catalog/model.ts';
import type { WireClassifier, WireOption } from '../contract/wire.ts';
import { optionIdsByName } from '../resources/classifier.ts';
import { differences, type Fields, membersOf } from '../resources/fields.ts';
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
 * An update that carries options leaves them by name, whatever they were before. Else an ID once matched stays with its
 * key while the service still answers it, and new ones are matched by name.
 */
function optionsOf(
  { key, request, answer, target, previous }: Answered,
  catalog: Catalog,
): Readonly<Record<string, string>> {
  const answered = (answer as WireClassifier).classifierOptions;
  const declared = Object.entries(catalog.classifiers.get(key)?.declaration.options ?? {});
  const wanted = membersOf(target, 'options').map(
    ([option, value]) => [option, value as OptionDeclaration] as const,
  );
  const known = previous?.options ?? {};
  // An option that no key has goes by its ID, and gets no key by that.
  const named = (wanted.length > 0 ? wanted : declared)
    .filter(([option]) => Object.hasOwn(known, option) || declared.some(([each]) => each === option))
    .map(([option, { name }]) => [option, name] as const);
  const byName = (rest: readonly WireOption[]) => optionIdsByName(named, rest);
  const byKey = (rest: readonly WireOption[]) =>
    Object.fromEntries(Object.entries(known).filter(([, id]) => rest.some((each) => each.id === id)));
  const [first, second] = request.body.classifierOptions === undefined ? [byKey, byName] : [byName, byKey];
  const matched = first(answered);
  const taken = new Set(Object.values(matched));
  return { ...second(answered.filter(({ id }) => !taken.has(id))), ...matched };
}
