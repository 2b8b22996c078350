import { randomUUID } from 'node:crypto';
import { exceeds, FILE_BOUNDS } from '../../contract/json-structure.ts';
import { type Diagnostic, failure, type Result, success } from '../../text/diagnostic.ts';
import { Contents, idOf } from '../shared/contents.ts';
import type { Change, Engine, Replacement, Shared, Snapshot, Trouble } from '../shared/engine.ts';

/** A document as it was read. */
export interface Found {
  readonly text: string;
  /** What a server knows this version by. */
  readonly tag: string;
}

/** The place of one text on a server. */
export interface DocumentPlace {
  /** The newest, or undefined for none. */
  read(): Promise<Result<Found | undefined>>;
  /** Replaces the document if the newest is `before`, and gives the tag of the new one. */
  replace(text: string, before: Found | undefined): Promise<{ readonly tag: string } | Trouble>;
  /** `busy`: others came first again and again. `foreign`: something else is there, which is never replaced. */
  problem(why: 'busy' | 'foreign'): Diagnostic;
}

/** The form that Terraform's servers expect: GitLab refuses one without a serial, or with one that it has. */
interface Document {
  readonly version: 4;
  readonly serial: number;
  readonly lineage: string;
  /** No two are the same, so that no two documents are. */
  readonly nonce: string;
  /** Path to text. */
  readonly files: Readonly<Record<string, string>>;
}

/** A folder in one document on a server that can replace it by compare-and-swap. */
export class DocumentFolder implements Engine {
  readonly #place: DocumentPlace;
  readonly #shared: Shared = { known: undefined, last: Promise.resolve() };
  #found: Found | undefined;
  #document: Document = { version: 4, serial: 0, lineage: randomUUID(), nonce: '', files: {} };
  #snapshot: Snapshot | undefined;
  readonly #contents = new Contents();

  constructor(place: DocumentPlace) {
    this.#place = place;
  }

  get busy(): Diagnostic {
    return this.#place.problem('busy');
  }

  async shared(): Promise<Result<Shared>> {
    return success(this.#shared);
  }

  async contents(ids: readonly string[]): Promise<Result<readonly Buffer[]>> {
    return this.#contents.of(ids, this);
  }

  async read(): Promise<Result<Snapshot | undefined>> {
    const read = await this.#place.read();
    if (!read.ok) return read;
    const found = read.value;
    // Not `known`: another may have changed it since the caller knew that.
    if (this.#snapshot && found?.tag === this.#found?.tag) {
      // Kept once more: whoever gets it may ask for its contents.
      this.#contents.change(this.#snapshot, new Map());
      return success(this.#snapshot);
    }
    const document = found
      ? parseDocument(found.text)
      : { ...this.#document, serial: 0, nonce: '', files: {} };
    if (!document) return failure(this.#place.problem('foreign'));
    [this.#found, this.#document] = [found, document];
    this.#snapshot = this.#snapshotOf(document);
    return success(this.#snapshot);
  }

  #snapshotOf({ nonce, files }: Document): Snapshot {
    const contents = Object.entries(files).map(([path, text]) => [path, { id: idOf(text), text }] as const);
    return { version: nonce || undefined, files: this.#contents.keep(contents) };
  }

  async replace(before: Snapshot, { texts }: Change): Promise<Result<Replacement>> {
    const { serial, lineage, nonce, files } = this.#document;
    const changed = this.#contents.change(before, texts);
    const kept = Object.entries(files).filter(([path]) => !texts.has(path));
    const document: Document = {
      version: 4,
      serial: serial + 1,
      lineage,
      nonce: randomUUID(),
      files: Object.fromEntries([...kept, ...changed.written.map(({ path, text }) => [path, text] as const)]),
    };
    const intended = { version: document.nonce, files: changed.files };
    // Somebody else has read it again since.
    if (before.version !== (nonce || undefined))
      return success({ intended, trouble: { kind: 'conflict', problem: this.busy } });
    const text = JSON.stringify(document);
    const done = await this.#place.replace(text, this.#found);
    if ('kind' in done) return success({ intended, trouble: done });
    [this.#found, this.#document, this.#snapshot] = [{ text, tag: done.tag }, document, intended];
    return success({ intended });
  }
}

/** Undefined for what this Trove did not write. */
function parseDocument(text: string): Document | undefined {
  if (exceeds(text, FILE_BOUNDS)) return undefined;
  try {
    const { version, serial, lineage, nonce, files } = Object(JSON.parse(text));
    const isOurs =
      version === 4 &&
      Number.isSafeInteger(serial) &&
      [lineage, nonce].every((value) => typeof value === 'string' && value !== '') &&
      typeof files === 'object' &&
      files !== null &&
      Object.values(files).every((value) => typeof value === 'string');
    return isOurs ? { version, serial, lineage, nonce, files } : undefined;
  } catch {
    return undefined;
  }
}
