/** Values by key, in constant time however many have one key. */
export class Groups<T> {
  readonly #sets = new Map<string, Set<T>>();

  /** In the order in which they were added. A later change shows in it. */
  get(key: string): ReadonlySet<T> {
    return this.#sets.get(key) ?? new Set();
  }

  add(key: string, value: T): void {
    const set = this.#sets.get(key);
    if (set) set.add(value);
    else this.#sets.set(key, new Set([value]));
  }

  delete(key: string, value: T): void {
    const set = this.#sets.get(key);
    set?.delete(value);
    if (set?.size === 0) this.#sets.delete(key);
  }
}
