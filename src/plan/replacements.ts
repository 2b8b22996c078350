import { type Address, addressOf } from '../catalog/model.ts';
import { classifier } from '../resources/classifier.ts';
import type { PlanBasis } from './basis.ts';
import { wasNotTaken } from './not-taken.ts';
import { wantedChanges } from './wanted.ts';

/**
 * Classifiers that are created anew: asked for, or declared with `onBlocked: replace` and blocked. It has to be
 * known before any item is compared, since the options that items are assigned to change their ids with it.
 */
export function replacedClassifiers(basis: PlanBasis): ReadonlySet<Address> {
  const { catalog, entries, wishes, profile } = basis;
  const found = new Set<Address>();
  for (const [key, declared] of catalog.classifiers) {
    const address = addressOf('classifier', key);
    const record = entries.find('live', address);
    const { protect, onBlocked } = declared.declaration.lifecycle ?? {};
    if (!record || record.protect || protect || !basis.selected(address)) continue;
    if (entries.find('pending', address)) continue;
    const isBlocked = () =>
      wantedChanges('classifier', declared, record, basis).some(
        (difference) => !wasNotTaken(difference, record) && classifier.obstacle(difference, profile),
      );
    if (wishes.replace.includes(address) || (onBlocked === 'replace' && isBlocked())) found.add(address);
  }
  return found;
}
