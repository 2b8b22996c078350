import type { Change } from '../plan/model.ts';

/**
 * What a recovery has found so far. Ids that are derived from another namespace than before find nothing, and every
 * item would be created a second time: until one item is known under a derived id, creates are held back.
 */
export class Finds {
  #any: boolean;
  readonly #held = new Set<Change>();

  constructor(isAnyKnown: boolean) {
    this.#any = isAnyKnown;
  }

  any(): boolean {
    return this.#any;
  }

  found(): void {
    this.#any = true;
  }

  holdBack(change: Change): void {
    this.#held.add(change);
  }

  /** What was held back and may go on now. */
  released(): readonly Change[] {
    return this.#any ? [...this.#held] : [];
  }
}
