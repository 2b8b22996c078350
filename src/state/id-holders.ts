import { type Address, type Kind, kindOf } from '../catalog/model.ts';

/**
 * Whose every id is. The interface does not say that an item and a classifier can't have one id (each has a path of
 * its own), so each kind is looked at by itself.
 */
export class IdHolders {
  readonly #byId = new Map<string, Address>();

  of(kind: Kind, id: string): Address | undefined {
    return this.#byId.get(`${kind} ${id}`);
  }

  set(id: string, address: Address): void {
    this.#byId.set(`${kindOf(address)} ${id}`, address);
  }

  delete(id: string, address: Address): void {
    this.#byId.delete(`${kindOf(address)} ${id}`);
  }

  forget(address: Address): void {
    for (const [id, holder] of this.#byId) if (holder === address) this.#byId.delete(id);
  }
}
