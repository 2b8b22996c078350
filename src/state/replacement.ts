import { kindOf } from '../catalog/model.ts';
import { entriesOf } from './entries.ts';
import type { State, StateEntry } from './model.ts';

/** Why one state can't take the place of another without a person's word. */
export interface ReplacementRisks {
  readonly otherLineage: boolean;
  readonly lowerSerial: boolean;
  /** Every ID, and every create whose outcome is unknown (its ID is null), that only the state to be replaced has. */
  readonly lost: readonly { readonly address: string; readonly id: string | null }[];
}

/** Compares what is recorded with what shall replace it. */
export function replacementRisks(recorded: State, replacement: State): ReplacementRisks {
  const ids = new Set(recordsOf(replacement).map(keyOf));
  const optionIds = new Set(optionsOf(replacement).map(({ id }) => id));
  const before = new Set(recordsOf(recorded).map(keyOf));
  const settled = recordsOf(replacement).filter((held) => !before.has(keyOf(held)));
  const pending = entriesOf(replacement).all('pending');
  const known = new Set([...pending, ...settled].map(({ address }) => address));
  return {
    otherLineage: recorded.lineage !== replacement.lineage,
    lowerSerial: replacement.serial < recorded.serial,
    lost: [
      ...recordsOf(recorded).filter((held) => !ids.has(keyOf(held))),
      ...optionsOf(recorded).filter(({ id }) => !optionIds.has(id)),
      ...entriesOf(recorded)
        .all('pending')
        .filter(({ address }) => !known.has(address))
        .map(({ address }) => ({ address, id: null })),
    ],
  };
}

type Held = Exclude<StateEntry, { status: 'pending' | 'forgotten' }>;

function recordsOf({ entries }: State): readonly Held[] {
  return entries.filter((entry): entry is Held => entry.status !== 'pending' && entry.status !== 'forgotten');
}

/** An item and a classifier may have one ID. */
function keyOf({ address, id }: Held): string {
  return `${kindOf(address)} ${id}`;
}

function optionsOf(state: State) {
  return recordsOf(state).flatMap(({ address, options = {} }) =>
    Object.entries(options).map(([option, id]) => ({ address: `${address}.${option}`, id })),
  );
}
