import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import type { Obstacle } from '../resources/kind.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import { entriesOf } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';

export type Protection = Extract<StateEvent, { type: 'protection' }>;

/** Recorded resources whose `lifecycle.protect` is not what the catalog says now. Nothing is sent for these. */
export function pendingProtections(catalog: Catalog, state: State): readonly Protection[] {
  const entries = entriesOf(state);
  return kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog, kind)].flatMap(([key, { declaration }]) => {
      const address: Address = addressOf(kind, key);
      const record = entries.find('live', address);
      const protect = declaration.lifecycle?.protect ?? false;
      return record && (record.protect ?? false) !== protect
        ? [{ type: 'protection', address, protect }]
        : [];
    }),
  );
}

/** Why a protected resource stays as it is, and the way out. */
export function protectedReason(what: string, flags: string): Obstacle {
  return {
    reason: `${what}, but it was declared with \`lifecycle: { protect: true }\``,
    remedies: [
      'declare it as before',
      `or declare it once more with \`protect: false\`, and then ask again after: trove apply${flags}`,
    ],
  };
}
