import { type Address, addressOf, kindOf } from '../catalog/model.ts';
import { type FieldDifference, groupOf } from '../resources/fields.ts';
import type { Obstacle } from '../resources/kind.ts';
import type { PlanContext } from './basis.ts';
import { isSelected } from './wishes.ts';

/** Of a lost state, or forgotten: a classifier that a person has neither brought back nor called new. */
export function isStillLost(address: Address, context: PlanContext): boolean {
  const { wishes, state, retired, imported } = context;
  const isForgotten = state?.forgotten?.[address] !== undefined;
  if (!(wishes.recover || isForgotten) || isSelected(wishes.confirmNew, address)) return false;
  return !state?.resources[address] && !retired.has(address) && !imported.has(address);
}

/**
 * The lost classifiers of a recorded item without which a difference of its assignments tells nothing: what it is
 * assigned to goes by ids until they are back, and is probably what it declares.
 */
export function lostBehind(
  address: Address,
  difference: FieldDifference,
  context: PlanContext,
): readonly Address[] {
  const { path } = difference;
  if (kindOf(address) !== 'item' || groupOf(path) !== 'classifiers') return [];
  const key = path.slice('classifiers.'.length);
  const lost = lostOf(address, context);
  return isNameless(address, difference, context) || lost.includes(addressOf('classifier', key)) ? lost : [];
}

/** An assignment that the service answered and that nothing known has a key for. */
export function isNameless(address: Address, { path }: FieldDifference, { state }: PlanContext): boolean {
  const { answer } = state?.resources[address] ?? {};
  if (!answer || !('classifiers' in answer)) return false;
  return answer.classifiers.some(({ classifierId }) => path === `classifiers.${classifierId}`);
}

function lostOf(address: Address, context: PlanContext): readonly Address[] {
  const item = context.catalog.items.get(address.slice('item.'.length));
  const declared = Object.keys(item?.declaration.classifiers ?? {});
  return declared
    .map((key) => addressOf('classifier', key))
    .filter((each) => isStillLost(each, context))
    .sort();
}

export function notFoundYet(lost: readonly Address[], { flags }: PlanContext): Obstacle {
  const have = lost.length === 1 ? 'has' : 'have';
  return {
    reason: `waits for ${lost.join(' and ')}, which may exist already and ${have} to be imported first`,
    remedies: lost.map((address) => `trove import ${address} ID${flags}`),
  };
}
