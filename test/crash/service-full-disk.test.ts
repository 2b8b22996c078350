import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../state/results.ts';
import { Answered } from './answered.ts';
import { send, startServe } from './serve-child.ts';
import { canTrace, injecting } from './strace.ts';

const item = { name: 'one more', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };

/** Mounts a file system of so many megabytes; false if this machine or user may not have one. */
function mount(folder: string, megabytes: number): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  return spawnSync('mount', options).status === 0;
}

async function smallDisk(): Promise<string> {
  const folder = join(await temporaryFolder(), 'disk');
  await mkdir(folder);
  if (!mount(folder, 3)) throw new Error('a small disk could be mounted before, and now it could not');
  // Detached: the service of a failed test may still have its files open.
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Fills what is left, so that the next page does not fit. */
async function fill(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, 'ballast'), Buffer.alloc(bavail * bsize));
}

const canMount = triedToMount();

function triedToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'trove-mount-'));
  const mounted = mount(folder, 1) && spawnSync('umount', [folder]).status === 0;
  rmdirSync(folder);
  return mounted;
}

describe.skipIf(!canMount)('`trove serve` on a full disk (needs the right to mount one)', () => {
  it('returns 500, loses nothing, and works again once there is room', async () => {
    const folder = await smallDisk();
    const answered = new Answered();
    const child = await startServe(folder);
    const url = String(child.url);
    for (let turn = 0; turn < 20; turn++) expect(await answered.write(url, `before ${turn}`)).toBe(true);

    await fill(folder);
    const statuses = new Set<number | undefined>();
    for (let turn = 0; turn < 40; turn++) statuses.add((await send(url, 'POST', '/items', item))?.status);
    expect([...statuses]).toEqual([500]);

    await rm(join(folder, 'ballast'));
    for (let turn = 0; turn < 20; turn++) expect(await answered.write(url, `after ${turn}`)).toBe(true);
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
    expect(answered.contradictions(folder)).toEqual([]);
  });

  it('loses nothing if it is stopped', async () => {
    const folder = await smallDisk();
    const answered = new Answered();
    const child = await startServe(folder);
    for (let turn = 0; turn < 20; turn++)
      expect(await answered.write(String(child.url), `before ${turn}`)).toBe(true);
    await fill(folder);
    child.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 0, errors: '' });
    await rm(join(folder, 'ballast'));
    expect(answered.contradictions(folder)).toEqual([]);
  });
});

// There is no room for the 120th to the 150th write to the disk: after some responses, and in the middle of commits.
const noRoom = 'pwrite64:error=ENOSPC:when=120..150';

describe.skipIf(!canTrace)('`trove serve` with disk-full errors (needs a working strace)', () => {
  it('returns a durable success or 500 for each write, and works again afterwards', async () => {
    const folder = await temporaryFolder();
    const answered = new Answered();
    const child = await startServe(folder, injecting(noRoom));
    const results: boolean[] = [];
    for (let turn = 0; turn < 60; turn++)
      results.push(await answered.write(String(child.url), `turn ${turn}`));
    expect([results[0], results.includes(false), results.at(-1)]).toEqual([true, true, true]);
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
    expect(answered.contradictions(folder)).toEqual([]);
  });
});
