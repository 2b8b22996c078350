import { addressOf, type Catalog } from '../catalog/model.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { Wishes } from './wishes.ts';

/** In a smaller catalog everything may well have been renamed at once. */
const TELLING = 10;

/** A state that has records and knows nothing of a catalog is most likely another catalog's, or an old one. */
export function strangeState(
  catalog: Catalog,
  state: State | undefined,
  { confirmNew }: Pick<Wishes, 'confirmNew'>,
): readonly Diagnostic[] {
  const recorded = Object.keys(state?.resources ?? {}).length;
  if (!state || recorded === 0 || confirmNew === 'all') return [];
  const declared = kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog, kind).keys()].map((key) => addressOf(kind, key)),
  );
  if (declared.length < TELLING) return [];
  const known = new Set([
    ...Object.keys(state.resources),
    ...[...state.retired, ...state.imported, ...state.pending].map(({ address }) => address),
    ...catalog.moved.filter(({ from }) => state.resources[from]).map(({ to }) => to),
  ]);
  if (declared.some((address) => known.has(address))) return [];
  const message = `the state knows none of the ${declared.length} resources of this catalog, and has ${recorded} others: is it the right one?`;
  const hint = 'check the catalog and the environment; where all of them really are new, add --confirm-new';
  return [error('strange-state', message, { hint })];
}
