import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import type { Plan } from '../plan/model.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import type { Run } from './run.ts';
import type { Recorder } from './writer.ts';

/**
 * Marks the state before anything is looked for: however this run ends, the next one, of whatever command, must not
 * take what is not found yet for new.
 */
export async function beginRecovery({ recover }: Plan, run: Run): Promise<void> {
  const { catalog, recorder, now } = run.ports;
  if (!recover) return;
  if (recorder.current().recovering === undefined && isIncomplete(catalog, recorder))
    await run.writer.note({ type: 'recovering', at: now().toISOString() });
  if (run.finds.isNamespaceKnown()) await recordNamespace(run);
}

/** Once: what shows it may be gone, or look like something else, in a later run. */
export async function recordNamespace({ ports: { recorder }, writer }: Run): Promise<void> {
  const { recovering } = recorder.current();
  if (recovering && !recovering.isNamespaceKnown) await writer.note({ type: 'namespace-known' });
}

export async function endRecovery(
  { recover }: Plan,
  { ports: { catalog, recorder }, writer }: Run,
): Promise<void> {
  if (recover && recorder.current().recovering !== undefined && !isIncomplete(catalog, recorder))
    await writer.note({ type: 'recovered' });
}

/** A person's word on a state that was begun by an import or a probe. */
export async function acceptBeginning({ ports: { isNew, recorder }, writer }: Run): Promise<void> {
  if (isNew && recorder.current().partial) await writer.note({ type: 'complete' });
}

export async function endPartial({ ports: { catalog, recorder }, writer }: Run): Promise<void> {
  if (recorder.current().partial && !isIncomplete(catalog, recorder)) await writer.note({ type: 'complete' });
}

function isIncomplete(catalog: Catalog, recorder: Recorder): boolean {
  const absent = new Set(recorder.current().recovering?.absent);
  return kindOrder.some((kind) =>
    [...declarationsOf(catalog, kind).keys()].some((key) => !isKnown(addressOf(kind, key), recorder, absent)),
  );
}

/** What is surely not there is known, too. */
function isKnown(address: Address, recorder: Recorder, absent: ReadonlySet<Address>): boolean {
  const record =
    recorder.entries.find('live', address) ??
    recorder.entries.find('retired', address) ??
    recorder.entries.find('imported', address);
  return (
    record !== undefined || recorder.entries.find('pending', address) !== undefined || absent.has(address)
  );
}
