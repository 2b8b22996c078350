import type { WireItem } from '../contract/wire.ts';
import { type Exchange, type Reply, withoutAnswer } from './model.ts';
import { currentItem, updateItem } from './records.ts';
import type { ProbeRun } from './run.ts';

/** Leads nowhere: `.invalid` is never registered. */
export const THUMBNAIL = 'https://trove-probe.invalid/thumbnail.png';

const NOT_SET = 'a thumbnail could not be set first';

/** `itemUpdate.omittedThumbnail`: an update without one keeps it or clears it. */
export async function probeOmittedThumbnail(run: ProbeRun): Promise<void> {
  const point = 'itemUpdate.omittedThumbnail';
  const before = await withThumbnail(run);
  if (before === undefined) return run.cannotTell(point, NOT_SET);
  const reply = await updateItem(run);
  if (reply.kind === 'stopped') return;
  if (reply.kind !== 'answered') return run.cannotTell(point, withoutAnswer(reply), reply.exchange);
  const { thumbnail } = reply.answer;
  if (thumbnail === before.thumbnail) run.tell(point, 'kept', reply.exchange);
  else if (thumbnail === null) run.tell(point, 'cleared', reply.exchange);
  else run.cannotTell(point, 'it became something else', reply.exchange);
}

/** `itemUpdate.clearThumbnail`: null clears it, or an empty text does, or neither. */
export async function probeClearThumbnail(run: ProbeRun): Promise<void> {
  const point = 'itemUpdate.clearThumbnail';
  let last: Exchange | undefined;
  let unseen: Extract<Reply<WireItem>, { kind: 'unseen' }> | undefined;
  for (const [value, thumbnail] of [['null', null] as const, ['empty', ''] as const]) {
    if ((await withThumbnail(run)) === undefined) return run.cannotTell(point, NOT_SET, last);
    const reply = await updateItem(run, { thumbnail });
    if (reply.kind === 'stopped') return;
    if (reply.kind === 'answered' && reply.answer.thumbnail === null)
      return run.tell(point, value, reply.exchange);
    if (reply.kind === 'unseen') unseen = reply;
    last = reply.exchange;
  }
  if (unseen) run.cannotTell(point, withoutAnswer(unseen), unseen.exchange);
  else if (last) run.tell(point, 'unsupported', last);
}

/** The probe item with a thumbnail, which is set where it has none; undefined where that does not work. */
async function withThumbnail(run: ProbeRun): Promise<WireItem | undefined> {
  const item = await currentItem(run);
  if (item === undefined || item.thumbnail) return item;
  const reply = await updateItem(run, { thumbnail: THUMBNAIL });
  return reply.kind === 'answered' && reply.answer.thumbnail === THUMBNAIL ? reply.answer : undefined;
}
