import type { Address } from '../catalog/model.ts';
import type { ImportedId, PendingCreate, ResourceRecord, RetiredRecord, State } from './model.ts';

/** One thing that is recorded of an address; an address that was replaced has several. */
export type StateEntry = { readonly address: Address; readonly at: string } & (
  | {
      readonly status: 'recorded' | 'diverged' | 'unconfirmed';
      readonly id: string;
      readonly content: ResourceRecord;
    }
  | { readonly status: 'retired'; readonly id: string; readonly content: RetiredRecord }
  | { readonly status: 'imported'; readonly id: string; readonly content: ImportedId }
  /** Nobody knows its id. */
  | { readonly status: 'pending'; readonly id: null; readonly content: PendingCreate }
);

/** Everything that a state records, by address; what is in use comes before what was retired there. */
export function stateEntries({ resources, retired, pending, imported }: State): readonly StateEntry[] {
  const live = Object.entries(resources) as [Address, ResourceRecord][];
  const entries: StateEntry[] = [
    ...live.map(([address, content]): StateEntry => {
      const { id, at } = content;
      return { address, at, status: statusOf(content), id, content };
    }),
    ...pending.map((content): StateEntry => ({ ...common(content), status: 'pending', id: null, content })),
    ...imported.map((content): StateEntry => {
      return { ...common(content), status: 'imported', id: content.id, content };
    }),
    ...retired.map((content): StateEntry => {
      const { address, retiredAt, id } = content;
      return { address, at: retiredAt, status: 'retired', id, content };
    }),
  ];
  // The sort is stable, so the order of the lists above stays within an address.
  return entries.sort((a, b) => (a.address === b.address ? 0 : a.address < b.address ? -1 : 1));
}

function common({ address, at }: ImportedId | PendingCreate): Pick<StateEntry, 'address' | 'at'> {
  return { address, at };
}

/** What nobody knows outweighs what was not taken. */
function statusOf({ unconfirmed, confidence }: ResourceRecord): 'recorded' | 'diverged' | 'unconfirmed' {
  if (unconfirmed) return 'unconfirmed';
  return confidence === 'diverged' ? 'diverged' : 'recorded';
}
