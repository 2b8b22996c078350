import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';

/** The targets and the classifiers that targeted items are assigned to. */
export function dependenciesOf(targets: readonly Address[], catalog: Catalog): ReadonlySet<Address> {
  const selected = new Set(targets);
  for (const address of targets) {
    if (!address.startsWith('item.')) continue;
    const item = catalog.items.get(address.slice('item.'.length));
    for (const classifier of Object.keys(item?.declaration.classifiers ?? {})) {
      selected.add(addressOf('classifier', classifier));
    }
  }
  return selected;
}

/** Complaints about targets that are neither declared nor recorded. */
export function unknownTargets(
  targets: readonly Address[],
  catalog: Catalog,
  state: State | undefined,
): readonly Diagnostic[] {
  const known = [
    ...[...catalog.classifiers.keys()].map((key) => addressOf('classifier', key)),
    ...[...catalog.items.keys()].map((key) => addressOf('item', key)),
    ...(Object.keys(state?.resources ?? {}) as Address[]),
    ...(state?.pending ?? []).map(({ address }) => address),
  ];
  const addresses = new Set(known);
  return targets
    .filter((target) => !addresses.has(target))
    .map((target) => {
      const near = nearest(target, known);
      const hint = near ? `did you mean ${near}?` : 'an address is a kind and a key: item.iron-sword';
      return error('unknown-target', 'nothing with this address is declared or recorded', {
        subject: target,
        hint,
      });
    });
}
