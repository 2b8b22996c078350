import { kindOf } from '../../src/catalog/model.ts';
import type { WireSpaceLink } from '../../src/contract/api.ts';
import type { ShownPending } from '../../src/render/state-show-text.ts';
import type { PendingCreate } from '../../src/state/model.ts';
import { createdAt } from '../rig/memory-service.ts';

const request = { method: 'POST', path: '/items', body: { name: 'Iron Sword' } } as const;

export const pending: readonly PendingCreate[] = [
  { status: 'pending', address: 'item.iron-sword', at: createdAt, request },
  {
    status: 'pending',
    address: 'classifier.rarity',
    at: createdAt,
    request: { ...request, path: '/classifiers', body: {} },
    reason: 'the answer names team team_8 (record c1), and this environment is team team_7',
    answer: { id: 'c1', name: 'R', teamId: 'team_8', createdAt, updatedAt: null, classifierOptions: [] },
  },
];

export function shownPending(creates: readonly PendingCreate[]): readonly ShownPending[] {
  return creates.map((create) => ({
    create,
    isSettledNext: kindOf(create.address) === 'item',
  }));
}

function link(id: string, name: string, cols: number): WireSpaceLink {
  const common = { createdAt, teamId: 'team_7' };
  const space = { ...common, id, name, cols, rows: 5, updatedAt: createdAt };
  return {
    ...common,
    id: `l-${id}`,
    userId: 'user_1',
    externalId: null,
    spaceId: id,
    updatedAt: null,
    space,
  };
}

export const links = [link('space_1', 'Armoury', 8), link('space_2', 'Käse & Wein', 12)];
