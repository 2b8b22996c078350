import type { UpdateClassifierBody, WireOption } from '../contract/wire.ts';
import { storedNumber } from './choices.ts';
import type { Dialect } from './dialect.ts';
import { united } from './united.ts';

/** Section 4.4 documents `name` alone: whether options in the body of a classifier update have an effect. */
export function takesOptions(dialect: Dialect): boolean {
  return !['ignored', 'rejected'].includes(dialect['classifierUpdate.options']);
}

/**
 * The options of a classifier after an update that gives some. They are matched by name, each stored one at most
 * once, and a match keeps its id, and so its assignments. Replaced: the given ones in their order, and the rest
 * goes. Merged: the stored ones in theirs, then what is new.
 */
export function updatedOptions(
  given: GivenOptions,
  current: readonly WireOption[],
  { classifierId, makeId, dialect }: OptionUpdate,
): readonly WireOption[] {
  const unmatched = [...current];
  const wanted = given.map(({ name, dropRateMultiplier }) => {
    const at = unmatched.findIndex((option) => option.name === name);
    const [match] = at < 0 ? [] : unmatched.splice(at, 1);
    return {
      id: match?.id ?? makeId(),
      name,
      dropRateMultiplier: storedNumber(dropRateMultiplier, dialect),
      classifierId,
    };
  });
  return dialect['classifierUpdate.options'] === 'replaced'
    ? wanted
    : united(current, wanted, ({ id }) => id);
}

export type GivenOptions = NonNullable<UpdateClassifierBody['classifierOptions']>;

interface OptionUpdate {
  readonly classifierId: string;
  readonly makeId: () => string;
  readonly dialect: Dialect;
}
