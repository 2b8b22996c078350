import type { Change } from '../plan/model.ts';

/**
 * What a recovery has found so far. Ids that are derived from another namespace than before find nothing, and every
 * item would be created a second time: until one item is known under a derived id, creates are held back. A declared
 * id is the same in every namespace, so that one found under its own says nothing for the derived ones.
 */
export class Finds {
  #derived: boolean;
  #declared = false;
  readonly #held = new Map<Change, boolean>();

  constructor(isNamespaceKnown: boolean) {
    this.#derived = isNamespaceKnown;
  }

  isNamespaceKnown(): boolean {
    return this.#derived;
  }

  /** Whether an item whose id is declared, or derived, may be created once it was looked for. */
  any(isDeclared: boolean): boolean {
    return this.#derived || (isDeclared && this.#declared);
  }

  found(isDeclared: boolean): void {
    if (isDeclared) this.#declared = true;
    else this.#derived = true;
  }

  holdBack(change: Change, isDeclared: boolean): void {
    this.#held.set(change, isDeclared);
  }

  /** What was held back and may go on now. */
  released(): readonly Change[] {
    return [...this.#held].flatMap(([change, isDeclared]) => (this.any(isDeclared) ? [change] : []));
  }
}
