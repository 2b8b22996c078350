import type { State } from './model.ts';

/** Why one state can't take the place of another without a person's word. */
export interface ReplacementRisks {
  readonly otherLineage: boolean;
  readonly lowerSerial: boolean;
  /** Every id, and every create whose outcome nobody saw (its id is null), that only the state to be replaced has. */
  readonly lost: readonly { readonly address: string; readonly id: string | null }[];
}

/** Compares what is recorded with what shall replace it. */
export function replacementRisks(recorded: State, replacement: State): ReplacementRisks {
  const ids = new Set(recordsOf(replacement).map(keyOf));
  const optionIds = new Set(optionsOf(replacement).map(({ id }) => id));
  const before = new Set(recordsOf(recorded).map(keyOf));
  const settled = recordsOf(replacement).filter((held) => !before.has(keyOf(held)));
  const known = new Set([...replacement.pending, ...settled].map(({ address }) => address));
  return {
    otherLineage: recorded.lineage !== replacement.lineage,
    lowerSerial: replacement.serial < recorded.serial,
    lost: [
      ...recordsOf(recorded).filter((held) => !ids.has(keyOf(held))),
      ...optionsOf(recorded).filter(({ id }) => !optionIds.has(id)),
      ...recorded.pending
        .filter(({ address }) => !known.has(address))
        .map(({ address }) => ({ address, id: null })),
    ],
  };
}

interface Held {
  readonly address: string;
  readonly id: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** An item and a classifier may have one id. */
function keyOf({ address, id }: Held): string {
  return `${address.split('.', 1)[0]} ${id}`;
}

function recordsOf({ resources, retired, imported }: State): readonly Held[] {
  const live = Object.entries(resources).map(([address, record]) => ({ ...record, address }));
  return [...live, ...retired, ...imported];
}

function optionsOf(state: State): readonly Held[] {
  return recordsOf(state).flatMap(({ address, options = {} }) =>
    Object.entries(options).map(([option, id]) => ({ address: `${address}.${option}`, id })),
  );
}
