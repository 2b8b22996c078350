import type { Address } from '../catalog/model.ts';
import type { StateEvent } from './event.ts';
import { IdHolders } from './id-holders.ts';
import type {
  Beginning,
  ForgottenId,
  ImportedId,
  PendingCreate,
  Recovery,
  ResourceRecord,
  State,
} from './model.ts';
import { RetiredRecords } from './retired-records.ts';

export type EventOf<Type extends StateEvent['type']> = Extract<StateEvent, { type: Type }>;

/** A state laid out for writing: what events change, each kind of entry by its address. */
export class Books {
  readonly resources: Map<Address, ResourceRecord>;
  readonly pending: Map<Address, PendingCreate>;
  readonly imported: Map<Address, ImportedId>;
  readonly retired: RetiredRecords;
  /** Whose every id is: an id that was recorded once stays, until a person says otherwise. */
  readonly holders = new IdHolders();
  /** Undefined where no recovery is under way. */
  recovering: (Omit<Recovery, 'absent'> & { readonly absent: Set<Address> }) | undefined;

  partial: Beginning | undefined;
  readonly forgotten: Map<Address, ForgottenId>;

  constructor(base: State) {
    this.resources = new Map(Object.entries(base.resources) as [Address, ResourceRecord][]);
    this.pending = new Map(base.pending.map((create) => [create.address, create]));
    this.imported = new Map(base.imported.map((imported) => [imported.address, imported]));
    this.retired = new RetiredRecords(base.retired);
    const { recovering, partial } = base;
    this.partial = partial;
    this.forgotten = new Map(Object.entries(base.forgotten ?? {}) as [Address, ForgottenId][]);
    this.recovering = recovering && { ...recovering, absent: new Set(recovering.absent) };
    for (const { address, id } of base.retired) this.holders.set(id, address);
    for (const { address, id } of base.imported) this.holders.set(id, address);
    for (const [address, { id }] of this.resources) this.holders.set(id, address);
  }

  /** In use, or perhaps so. */
  isTaken(address: Address): boolean {
    return this.resources.has(address) || this.pending.has(address) || this.imported.has(address);
  }

  isKnown(address: Address): boolean {
    return this.isTaken(address) || this.retired.at(address).length > 0;
  }
}
