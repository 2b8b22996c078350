import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { StateFileOptions } from '../../src/state/file/state-file.ts';
import { FileStore } from '../../src/state/file/store.ts';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import type { State } from '../../src/state/model.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { openSession, type Session, type SessionOptions } from '../../src/state/session.ts';
import type { StateLock, StateStore } from '../../src/state/store.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { rendered } from '../rig/in-words.ts';
import { recorded } from '../rig/recorded.ts';
import { emptyState, owner, target } from './events.ts';

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
export async function taken({ lock }: StateStore, holder?: LockOwner): Promise<StateLock> {
  const outcome = unwrap(await lock.take(holder ?? (await owner())));
  if (outcome.kind === 'acquired') return lock;
  throw new Error(`The lock was not acquired: ${JSON.stringify(outcome)}`);
}

/** Does `work` with the lock, and gives it back. */
export async function locked(store: StateStore, work: () => Promise<unknown>): Promise<void> {
  const lock = await taken(store);
  await work();
  unwrap(await lock.release());
}

/** Removes the lock, whoever holds it. */
export async function unlocked(store: StateStore): Promise<void> {
  const found = unwrap(await store.lock.inspect());
  if (found.kind !== 'held') throw new Error('Nobody holds the lock.');
  expect(unwrap(await store.lock.remove(await owner('state unlock'), found.owner))).toEqual({
    kind: 'removed',
  });
}

export const begin: SessionOptions = { initial: emptyState(), target };

export async function openedSession(store: StateStore, options = begin): Promise<Session> {
  const outcome = unwrap(await openSession(store, await owner(), options));
  if (outcome.kind === 'open') return outcome.session;
  throw new Error(JSON.stringify(outcome));
}

/** What a killed process leaves behind, except its lock: closing writes nothing and only frees the file. */
export async function crash(store: StateStore, session: Session): Promise<void> {
  await unlocked(store);
  await session.close();
}

export const liveIn = (state: State | undefined) => Object.keys(recorded(state).live);
export const stateOf = async (store: StateStore) => unwrap(await readRecorded(store))?.state;
export const eventsOf = async (store: StateStore) => unwrap(await readRecorded(store))?.events;
