import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { pendingMoves } from './moves.ts';
import type { PlanOptions } from './options.ts';

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

/**
 * Complaints about addresses that are neither declared nor recorded, or can't be replaced. What `moved` renames goes
 * by its new address, as in the plan.
 */
export function unknownAddresses(
  { targets, replace, reassert, confirmNew }: PlanOptions,
  catalog: Catalog,
  found: State | undefined,
): readonly Diagnostic[] {
  const state = found && fold(found, pendingMoves(catalog, found));
  const named = [targets, reassert, confirmNew].flatMap((each) => (each === 'all' ? [] : each));
  const unknown = notKnown([...new Set([...named, ...replace])], catalog, state);
  const complained = new Set(unknown.map(({ subject }) => subject));
  const impossible = [...notRecorded(replace, state), ...notDeclared(replace, catalog, state)];
  return [...unknown, ...impossible.filter(({ subject }) => !complained.has(subject))];
}

function notRecorded(replace: readonly Address[], state: State | undefined): readonly Diagnostic[] {
  const hint = 'leave out --replace: without it, it is created, revived or adopted';
  return replace
    .filter((address) => !entriesOf(state).find('live', address))
    .map((address) => error('nothing-to-replace', 'it has no record in use', { subject: address, hint }));
}

function notDeclared(
  replace: readonly Address[],
  catalog: Catalog,
  state: State | undefined,
): readonly Diagnostic[] {
  const hint = 'declare it again first';
  const message = 'it is not declared, so nothing can take the place of its record';
  const declared = new Set(declaredAddresses(catalog));
  return replace
    .filter((address) => entriesOf(state).find('live', address) && !declared.has(address))
    .map((address) => error('nothing-to-replace', message, { subject: address, hint }));
}

function declaredAddresses({ classifiers, items }: Catalog): readonly Address[] {
  return [
    ...[...classifiers.keys()].map((key) => addressOf('classifier', key)),
    ...[...items.keys()].map((key) => addressOf('item', key)),
  ];
}

function notKnown(
  addresses: readonly Address[],
  catalog: Catalog,
  state: State | undefined,
): readonly Diagnostic[] {
  const known = [
    ...declaredAddresses(catalog),
    ...(state?.entries ?? [])
      .filter(({ status }) => status !== 'retired' && status !== 'forgotten')
      .map(({ address }) => address),
  ];
  const isKnown = new Set(known);
  return addresses
    .filter((address) => !isKnown.has(address))
    .map((address) => {
      const near = nearest(address, known);
      const move = catalog.moved.find(({ from }) => from === address);
      if (move)
        return error('unknown-target', `it is ${move.to} now, by \`moved\` of the catalog`, {
          subject: address,
        });
      const hint = near ? `did you mean ${near}?` : 'an address is a kind and a key: item.iron-sword';
      return error('unknown-target', 'nothing with this address is declared or recorded', {
        subject: address,
        hint,
      });
    });
}
