import { createHash } from 'node:crypto';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import type { Change, Engine, Snapshot } from './engine.ts';

/** Whoever has just read a snapshot may ask for its contents while others have read newer ones. */
const KEPT = 8;

/** The contents of the snapshots that an engine has read last, by their IDs. */
export class Contents {
  #snapshots: readonly ReadonlyMap<string, Buffer>[] = [];

  /** Those of a snapshot; of one that was read before, the ID is enough. Gives path to ID. */
  keep(
    files: Iterable<readonly [path: string, content: { id: string; text?: string }]>,
  ): Map<string, string> {
    const ids = new Map<string, string>();
    const contents = new Map<string, Buffer>();
    for (const [path, { id, text }] of files) {
      ids.set(path, id);
      const content = this.#find(id) ?? (text === undefined ? undefined : Buffer.from(text));
      if (content) contents.set(id, content);
    }
    this.#snapshots = [contents, ...this.#snapshots].slice(0, KEPT);
    return ids;
  }

  /** Those of a snapshot after a change of it. Gives path to ID, and what was written. */
  change(before: Snapshot, texts: Change['texts']) {
    const kept = [...before.files].filter(([path]) => !texts.has(path));
    const written = [...texts].flatMap(([path, text]) =>
      text === null ? [] : [{ path, id: idOf(text), text }],
    );
    const all = [
      ...kept.map(([path, id]) => [path, { id }] as const),
      ...written.map((each) => [each.path, each] as const),
    ];
    return { files: this.keep(all), written };
  }

  /** Of the newest snapshot. */
  get ids(): readonly string[] {
    return [...(this.#snapshots[0]?.keys() ?? [])];
  }

  of(ids: readonly string[], { busy }: Engine): Result<readonly Buffer[]> {
    const found = ids.flatMap((id) => this.#find(id) ?? []);
    return found.length === ids.length ? success(found) : failure(busy);
  }

  #find(id: string): Buffer | undefined {
    return this.#snapshots.find((contents) => contents.has(id))?.get(id);
  }
}

export function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
