import { type Diagnostic, error } from './diagnostic.ts';

/** No one reads more at once, and a file can have as many problems as it has lines. */
export const MOST_LISTED = 100;

/** Keeps the first hundred problems and counts the others, of which nothing is worked out. */
export class ProblemList {
  readonly #listed: Diagnostic[] = [];
  #more = 0;

  add(make: () => Diagnostic): void {
    if (this.#listed.length === MOST_LISTED) this.#more++;
    else this.#listed.push(make());
  }

  addAll(diagnostics: Iterable<Diagnostic>): void {
    for (const diagnostic of diagnostics) {
      if (diagnostic.more === undefined) this.add(() => diagnostic);
      else this.#more += diagnostic.more;
    }
  }

  get count(): number {
    return this.#listed.length + this.#more;
  }

  /** By file, then by place in it; what has no place comes first in its file, and otherwise keeps its order. */
  sort(): this {
    this.#listed.sort((one, other) => {
      const [file, otherFile] = [fileOf(one), fileOf(other)];
      if (file !== otherFile) return file < otherFile ? -1 : 1;
      return (one.location?.start ?? -1) - (other.location?.start ?? -1);
    });
    return this;
  }

  /** The last one says how many are not listed. */
  all(): readonly Diagnostic[] {
    const more = this.#more;
    return more === 0 ? this.#listed : [...this.#listed, error('more-problems', { more }, { more })];
  }
}

/** A problem for each entry. */
export function problemsIn<T>(
  entries: Iterable<T>,
  describe: (entry: T) => Diagnostic,
): readonly Diagnostic[] {
  const found = new ProblemList();
  for (const entry of entries) found.add(() => describe(entry));
  return found.all();
}

/** The first hundred in their order, and how many more there are. */
export function limited(diagnostics: Iterable<Diagnostic>): readonly Diagnostic[] {
  const list = new ProblemList();
  list.addAll(diagnostics);
  return list.all();
}

/** The same by place. Of more than a hundred it is the first that were found. */
export function sortDiagnostics(diagnostics: Iterable<Diagnostic>): readonly Diagnostic[] {
  const list = new ProblemList();
  list.addAll(diagnostics);
  return list.sort().all();
}

/** How many problems these diagnostics stand for. */
export function countOf(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.reduce((count, { more = 1 }) => count + more, 0);
}

function fileOf({ location, subject }: Diagnostic): string {
  return location?.source.path ?? subject ?? '';
}
