import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { StateFileOptions } from '../../src/state/file/state-file.ts';
import { FileStore } from '../../src/state/file/store.ts';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { rendered } from '../rig/in-words.ts';
import { owner } from './events.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for one state. Each store that is opened there is another process, as far as it can tell. */
export async function freshPlace(options: Omit<StateFileOptions, 'path'> = {}) {
  const folder = await temporaryFolder();
  const path = join(folder, 'state.json');
  const open = () => new FileStore({ path, ...options });
  return { folder, path, open, store: open() };
}

export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(rendered(result.diagnostics));
}

export function rulesOf(result: Result<unknown>): string[] {
  return result.ok ? [] : result.diagnostics.map(({ rule }) => rule);
}

/** Takes the lock. */
export async function taken({ lock }: FileStore, holder?: LockOwner): Promise<FileStore['lock']> {
  const outcome = unwrap(await lock.take(holder ?? (await owner())));
  if (outcome.kind === 'acquired') return lock;
  throw new Error(`The lock was not acquired: ${JSON.stringify(outcome)}`);
}

/** Does `work` with the lock, and gives it back. */
export async function locked(store: FileStore, work: () => Promise<unknown>): Promise<void> {
  const lock = await taken(store);
  await work();
  unwrap(await lock.release());
}

/** Removes the lock, whoever holds it. */
export async function unlocked(store: FileStore): Promise<void> {
  const found = unwrap(await store.lock.inspect());
  if (found.kind !== 'held') throw new Error('Nobody holds the lock.');
  expect(unwrap(await store.lock.remove(await owner('state unlock'), found.owner))).toEqual({
    kind: 'removed',
  });
}
