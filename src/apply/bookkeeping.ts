import type { Change, Plan } from '../plan/model.ts';
import type { Run } from './run.ts';

/** Records what changes only in the books: nothing of this is ever sent. Gives what was recorded. */
export async function recordMoves({ moved }: Plan, { writer }: Run): Promise<Plan['moved']> {
  const recorded: Plan['moved'][number][] = [];
  for (const move of moved) if (await writer.note({ type: 'moved', ...move })) recorded.push(move);
  return recorded;
}

export function recordRetirement({ address }: Change, { ports, writer }: Run): Promise<boolean> {
  return writer.note({ type: 'retired', address, at: ports.now().toISOString() });
}

/** Of what was replaced meanwhile, the new record has it from its declaration already. */
export async function recordProtections(
  { protections }: Plan,
  { ports, writer }: Run,
): Promise<Plan['protections']> {
  const recorded = await Promise.all(
    protections.map(async (each) => {
      const isKnown = ports.recorder.entries.find('live', each.address) !== undefined;
      return isKnown && (await writer.note({ type: 'protection', ...each })) ? [each] : [];
    }),
  );
  return recorded.flat();
}
