import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskEvent } from './disk-trace.ts';

type Change = Extract<DiskEvent, { kind: 'write' | 'truncate' }>;

/** What a disk may have done with a change that nobody synced yet: bytes of it that are kept, from its start. */
export type Luck = (change: Change) => number;

export const lostUnlessSynced: Luck = () => 0;
const SECTOR = 512;

/** All, nothing or some whole sectors of a write, as `random` says; so a disk may also reorder. */
export function torn(random: () => number): Luck {
  return (change) => {
    const length = change.kind === 'write' ? change.data.length : 1;
    const third = Math.floor(random() * 3);
    if (third < 2) return third * length;
    return Math.floor((random() * length) / SECTOR) * SECTOR;
  };
}

/**
 * A disk that loses power: what was synced is there, of the rest what its luck says. A file's name lasts from its
 * first write to its removal, as it does where folders are synced too.
 */
export class DiskImage {
  readonly #files = new Map<string, { synced: Buffer; readonly pending: Change[] }>();

  apply(event: DiskEvent): void {
    if (event.kind === 'answer') return;
    if (event.kind === 'remove') return void this.#files.delete(event.file);
    const file = this.#files.get(event.file) ?? { synced: Buffer.alloc(0), pending: [] };
    if (event.kind !== 'sync') {
      this.#files.set(event.file, file);
      return void file.pending.push(event);
    }
    file.synced = file.pending.reduce((content, change) => changed(content, change), file.synced);
    file.pending.length = 0;
  }

  /** Lays the files out in a new folder, as they are found after the power came back. */
  async layOut(folder: string, luck: Luck): Promise<void> {
    await mkdir(folder);
    for (const [name, { synced, pending }] of this.#files) {
      const content = pending.reduce((before, change) => changed(before, change, luck(change)), synced);
      await writeFile(join(folder, name), content);
    }
  }
}

function changed(content: Buffer, change: Change, kept = Number.POSITIVE_INFINITY): Buffer {
  if (kept === 0) return content;
  if (change.kind === 'truncate') return resized(content, change.size);
  const data = change.data.subarray(0, Math.min(kept, change.data.length));
  const result = resized(content, Math.max(content.length, change.offset + data.length));
  data.copy(result, change.offset);
  return result;
}

function resized(content: Buffer, size: number): Buffer {
  return Buffer.concat([content, Buffer.alloc(Math.max(0, size - content.length))]).subarray(0, size);
}
