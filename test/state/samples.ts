import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import type { Address } from '../../src/catalog/model.ts';
import { currentOwner } from '../../src/state/current-owner.ts';
import type { StateEvent } from '../../src/state/event.ts';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import type { RecordedRequest, ResourceRecord, State } from '../../src/state/model.ts';
import { newState } from '../../src/state/new-state.ts';
import { StateBuilder } from '../../src/state/state-builder.ts';
import type { Result } from '../../src/text/diagnostic.ts';

export const target = { baseUrl: 'https://game.example/api', teamId: 'team_7' };
export const at = '2026-03-01T12:00:00.000Z';

export function emptyState(): State {
  return newState({ lineage: '0d5f7a4e-5a1c-4a3e-9d5e-000000000001', target });
}

export function createRequest(id: string): RecordedRequest {
  const body = { id, name: `Item ${id}`, rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };
  return { method: 'POST', path: '/items', body };
}

export function itemRecord(id: string): ResourceRecord {
  const answer = {
    id,
    name: `Item ${id}`,
    thumbnail: null,
    rollNumerator: 1,
    createdAt: at,
    updatedAt: null,
    teamId: target.teamId,
    classifiers: [],
    attributes: [],
  };
  return { id, answer, sent: createRequest(id), at, confidence: 'verified' };
}

export function intent(address: Address, id = `id-of-${address}`): StateEvent {
  return { type: 'intent', address, at, request: createRequest(id) };
}

export function answered(address: Address, id = `id-of-${address}`): StateEvent {
  return { type: 'answered', address, record: itemRecord(id) };
}

/** `count` answers to creates of different items. */
export function manyAnswers(count: number): StateEvent[] {
  return Array.from({ length: count }, (_, index) => answered(`item.n${index}`));
}

export function owner(operation = 'apply'): Promise<LockOwner> {
  return currentOwner({ id: randomUUID(), operation, since: at, version: '0.0.0-test' });
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
}

export function rulesOf(result: Result<unknown>): string[] {
  return result.ok ? [] : result.diagnostics.map(({ rule }) => rule);
}

const addresses = fc.constantFrom<Address>('item.a', 'item.b', 'item.c');
const ids = fc.constantFrom('1', '2', '3', '4', '__proto__', 'naïve \u{1f5e1}\n');
const anyEvent: fc.Arbitrary<StateEvent> = fc.oneof(
  fc.tuple(addresses, ids).map(([address, id]) => intent(address, id)),
  fc.tuple(addresses, ids).map(([address, id]) => answered(address, id)),
  addresses.map((address): StateEvent => ({ type: 'not-taken', address })),
  fc.tuple(addresses, fc.string()).map(([address, reason]): StateEvent => ({ type: 'unseen', address, reason })),
  addresses.map((address): StateEvent => ({ type: 'retired', address, at })),
  fc.tuple(addresses, fc.boolean()).map(([address, protect]): StateEvent => ({ type: 'protection', address, protect })),
  fc.tuple(addresses, addresses).map(([from, to]): StateEvent => ({ type: 'moved', from, to })),
);

/** Sequences of events that can follow one another, from an empty state. */
export function possibleEvents(maxLength: number): fc.Arbitrary<readonly StateEvent[]> {
  return fc.array(anyEvent, { maxLength: maxLength * 2 }).map((events) => {
    const builder = new StateBuilder(emptyState());
    return events.filter((event) => isPossible(builder, event)).slice(0, maxLength);
  });
}

function isPossible(builder: StateBuilder, event: StateEvent): boolean {
  try {
    builder.apply(event);
    return true;
  } catch {
    return false;
  }
}
