import type { WireItem } from '../contract/wire.ts';
import { currentItem, probeAttributes, rangesOf, updateItem } from './records.ts';
import { withoutAnswer } from './reply.ts';
import type { ProbeRun } from './run.ts';

/** `itemUpdate.attributes`: a range that an update leaves out is gone (replace) or still there (merge). */
export async function probeAttributeUpdate(run: ProbeRun): Promise<void> {
  const point = 'itemUpdate.attributes';
  const ids = probeAttributes(run);
  const before = await withRanges(run, ids);
  if (before === undefined) return run.cannotTell(point, 'the ranges could not be set first');
  const kept = ids.slice(0, -1);
  const reply = await updateItem(run, { attributes: rangesOf(kept) });
  if (reply.kind === 'stopped') return;
  if (reply.kind !== 'answered') return run.cannotTell(point, withoutAnswer(reply), reply.exchange);
  const found = attributeIds(reply.answer);
  if (kept.some((id) => !found.has(id)))
    return run.cannotTell(point, 'a range that was sent is not in the answer', reply.exchange);
  const merged = ids.every((id) => found.has(id));
  run.tell(point, merged ? 'merge' : 'replace', reply.exchange);
}

async function withRanges(run: ProbeRun, ids: readonly string[]): Promise<WireItem | undefined> {
  const item = await currentItem(run);
  if (item === undefined || hasAll(item, ids)) return item;
  const reply = await updateItem(run);
  return reply.kind === 'answered' && hasAll(reply.answer, ids) ? reply.answer : undefined;
}

function hasAll(item: WireItem, ids: readonly string[]): boolean {
  const found = attributeIds(item);
  return ids.every((id) => found.has(id));
}

function attributeIds({ attributes }: WireItem): ReadonlySet<string> {
  return new Set(attributes.map(({ attributeId }) => attributeId));
}
