import { randomUUID } from 'node:crypto';
import type { Address } from '../../src/catalog/model.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { currentOwner, type LockOwner } from '../../src/state/lock-owner.ts';
import { newState, type RecordedRequest, type ResourceRecord, type State } from '../../src/state/model.ts';

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
  return { type: 'create-intent', address, at, request: createRequest(id) };
}

export function answered(address: Address, id = `id-of-${address}`): StateEvent {
  return { type: 'answered', address, record: itemRecord(id) };
}

export function updating(address: Address, id = `id-of-${address}`, sentAt = at): StateEvent {
  const request = { method: 'PUT', path: `/items/${encodeURIComponent(id)}`, body: {} } as const;
  return { type: 'update-intent', address, at: sentAt, request };
}

/** `count` responses to creates of different items. */
export function manyAnswers(count: number): StateEvent[] {
  return Array.from({ length: count }, (_, index) => answered(`item.n${index}`));
}

export function owner(operation = 'apply'): Promise<LockOwner> {
  return currentOwner({ id: randomUUID(), operation, since: at, version: '0.0.0-test' });
}
