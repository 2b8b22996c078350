import type { Change, Plan } from '../plan/model.ts';
import type { Run } from './run.ts';

/** Records what changes only in the books: nothing of this is ever sent. */
export async function recordMoves(plan: Plan, { writer }: Run): Promise<void> {
  for (const move of plan.moved) await writer.note({ type: 'moved', ...move });
}

export function recordRetirement({ address }: Change, { ports, writer }: Run): Promise<boolean> {
  return writer.note({ type: 'retired', address, at: ports.now().toISOString() });
}

/** Of what was replaced meanwhile, the new record has it from its declaration already. */
export async function recordProtections({ protections }: Plan, { ports, writer }: Run): Promise<void> {
  const events = protections.filter(({ address }) => ports.recorder.get(address));
  await Promise.all(events.map((event) => writer.note({ type: 'protection', ...event })));
}
