import { createHash } from 'node:crypto';
import type { State } from './model.ts';

/** What tells two states of one serial apart: a digest of every recorded id, and of every create left open. */
export function idsDigest({
  resources,
  retired,
  pending,
  imported,
}: Pick<State, 'resources' | 'retired' | 'pending' | 'imported'>): string {
  const lines = [
    ...Object.entries(resources).map(([address, { id }]) => `live ${address} ${id}`),
    ...retired.map(({ address, id }) => `retired ${address} ${id}`),
    ...imported.map(({ address, id }) => `imported ${address} ${id}`),
    ...pending.map(({ address, at }) => `pending ${address} ${at}`),
  ];
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
