import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';

export type Protection = Extract<StateEvent, { type: 'protection' }>;

/** Recorded resources whose `lifecycle.protect` is not what the catalog says now. Nothing is sent for these. */
export function pendingProtections(catalog: Catalog, state: State): readonly Protection[] {
  return kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog, kind)].flatMap(([key, { declaration }]) => {
      const address: Address = addressOf(kind, key);
      const record = state.resources[address];
      const protect = declaration.lifecycle?.protect ?? false;
      return record && (record.protect ?? false) !== protect
        ? [{ type: 'protection', address, protect }]
        : [];
    }),
  );
}
