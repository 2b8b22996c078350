import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import type { Wishes } from './wishes.ts';

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

/** Complaints about addresses that are neither declared nor recorded, or can't be replaced. */
export function unknownAddresses(
  { targets, replace, reassert, confirmNew }: Wishes,
  catalog: Catalog,
  state: State | undefined,
): readonly Diagnostic[] {
  const named = [targets, reassert, confirmNew].flatMap((each) => (each === 'all' ? [] : each));
  const unknown = notKnown([...new Set([...named, ...replace])], catalog, state);
  const complained = new Set(unknown.map(({ subject }) => subject));
  return [...unknown, ...notRecorded(replace, state).filter(({ subject }) => !complained.has(subject))];
}

function notRecorded(replace: readonly Address[], state: State | undefined): readonly Diagnostic[] {
  const hint = 'leave out --replace: what has no record is created anyway';
  return replace
    .filter((address) => !state?.resources[address])
    .map((address) => error('nothing-to-replace', 'it has no record in use', { subject: address, hint }));
}

function notKnown(
  addresses: readonly Address[],
  catalog: Catalog,
  state: State | undefined,
): readonly Diagnostic[] {
  const known = [
    ...[...catalog.classifiers.keys()].map((key) => addressOf('classifier', key)),
    ...[...catalog.items.keys()].map((key) => addressOf('item', key)),
    ...(Object.keys(state?.resources ?? {}) as Address[]),
    ...[...(state?.pending ?? []), ...(state?.imported ?? [])].map(({ address }) => address),
  ];
  const isKnown = new Set(known);
  return addresses
    .filter((address) => !isKnown.has(address))
    .map((address) => {
      const near = nearest(address, known);
      const hint = near ? `did you mean ${near}?` : 'an address is a kind and a key: item.iron-sword';
      return error('unknown-target', 'nothing with this address is declared or recorded', {
        subject: address,
        hint,
      });
    });
}
