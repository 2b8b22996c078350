import type {
  CreateClassifierBody,
  UpdateClassifierBody,
  WireClassifier,
  WireOption,
} from '../../contract/api.ts';
import { type Dialect, union } from '../dialect.ts';
import { readBody, unknownField } from '../request-body.ts';
import { type Call, type Context, checkUnknownId } from './operation.ts';

/** 4.3 Create Classifier. Refuses with 400 (body). */
export function createClassifier({ teamId, data }: Call, context: Context): WireClassifier {
  const body = readBody<CreateClassifierBody>(data, 'CreateClassifier', context.dialect);
  const id = context.makeId();
  const dates = { createdAt: context.now(), updatedAt: null };
  const classifierOptions = updatedOptions(id, body.classifierOptions, [], context);
  return context.store.classifiers.put({ ...body, ...dates, id, teamId, classifierOptions });
}

/**
 * 4.4 Update Classifier: its name, and in some dialects its options. Refuses with 400 (body) or as the dialect
 * says of an unknown id.
 */
export function updateClassifier({ teamId, id, data }: Call, context: Context): WireClassifier {
  const { store, now, dialect } = context;
  const { classifierOptions: given, ...fields } = readUpdate(data, dialect);
  const found = store.classifiers.find(teamId, id);
  if (found === undefined) checkUnknownId('classifier', id, dialect);
  const updatedAt = now();
  const current = found ?? { createdAt: updatedAt, classifierOptions: [] };
  const classifierOptions = given && updatedOptions(id, given, current.classifierOptions, context);
  return store.classifiers.put({ ...current, ...fields, id, teamId, updatedAt, classifierOptions });
}

/** Section 4.4 documents `name` alone: whether options in the body have an effect is up to the dialect. */
function readUpdate(data: unknown, dialect: Dialect): UpdateClassifierBody {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'classifierOptions'))
    return readBody(data, 'UpdateClassifier', dialect);
  const { classifierOptions: _, ...fields } = data as { readonly classifierOptions: unknown };
  switch (dialect['classifierUpdate.options']) {
    case 'ignored':
      return readBody(fields, 'UpdateClassifier', dialect);
    case 'rejected':
      return readBody(fields, 'UpdateClassifier', dialect, () => [unknownField('classifierOptions')]);
    default:
      // Options that have an effect are held to what section 4.3 says of them.
      return readBody(data, 'CreateClassifier', dialect);
  }
}

/**
 * The options of a classifier after a create or update that gives some. They are matched by name, each stored one at
 * most once, and a match keeps its id, and so its assignments. Replaced: the given ones in their order, and the rest
 * goes. Merged: the stored ones in theirs, then what is new.
 */
function updatedOptions(
  classifierId: string,
  given: CreateClassifierBody['classifierOptions'],
  current: readonly WireOption[],
  { makeId, dialect }: Context,
): readonly WireOption[] {
  const unmatched = [...current];
  const wanted = given.map(({ name, dropRateMultiplier }) => {
    const at = unmatched.findIndex((option) => option.name === name);
    const [match] = at < 0 ? [] : unmatched.splice(at, 1);
    return { id: match?.id ?? makeId(), name, dropRateMultiplier, classifierId };
  });
  return dialect['classifierUpdate.options'] === 'replaced' ? wanted : union(current, wanted, ({ id }) => id);
}
