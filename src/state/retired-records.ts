import type { Address } from '../catalog/model.ts';
import type { RetiredRecord } from './model.ts';
import { compareRetired } from './state-order.ts';

/** Several for one address where a resource was replaced more than once: each id still exists remotely. */
export class RetiredRecords {
  readonly #byAddress = new Map<Address, readonly RetiredRecord[]>();

  constructor(records: readonly RetiredRecord[]) {
    for (const record of records) this.add(record);
  }

  all(): readonly RetiredRecord[] {
    return [...this.#byAddress.values()].flat().sort(compareRetired);
  }

  at(address: Address): readonly RetiredRecord[] {
    return this.#byAddress.get(address) ?? [];
  }

  add(record: RetiredRecord): void {
    this.#byAddress.set(record.address, [...this.at(record.address), record]);
  }

  remove(address: Address, id: string): void {
    const others = this.at(address).filter((record) => record.id !== id);
    if (others.length > 0) this.#byAddress.set(address, others);
    else this.#byAddress.delete(address);
  }

  /** Takes all of an address away, and gives them. */
  take(address: Address): readonly RetiredRecord[] {
    const taken = this.at(address);
    this.#byAddress.delete(address);
    return taken;
  }
}
