import type { Address } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import type { CreateClassifierBody, CreateItemBody, WireClassifier, WireItem } from '../contract/wire.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Reply } from './model.ts';
import {
  ASSIGNABLE,
  askedId,
  assignableOptions,
  classifierName,
  itemName,
  probeAttributes,
  probeClassifier,
  probeItem,
  rangesOf,
  recordAt,
  updateItem,
} from './records.ts';
import type { ProbeRun } from './run.ts';
import { THUMBNAIL } from './thumbnail.ts';

/** Where assignments are merged, each probe uses one up for ever, so there are more than one run needs. */
const assignable = Array.from({ length: 8 }, (_, index) => `${ASSIGNABLE} ${index + 1}`);
const optionNames = [...assignable, 'Change 1', 'Change 2'];

/** The classifier and the item that everything is tried on: new, or those of an earlier run, confirmed by an update. */
export async function prepare(run: ProbeRun): Promise<void> {
  await prepareClassifier(run);
  if (!run.halted) await prepareItem(run);
}

async function prepareClassifier(run: ProbeRun): Promise<void> {
  const known = recordAt(run, probeClassifier);
  if (known) return confirm(run, await nameClassifier(run, known.id));
  if (waits(run, probeClassifier)) return;
  const body = {
    name: classifierName,
    classifierOptions: optionNames.map((name) => ({ name, dropRateMultiplier: 1 })),
  } satisfies CreateClassifierBody;
  const request = { method: 'POST', path: pathOf('createClassifier'), body } as const;
  const reply = await run.create<WireClassifier>(probeClassifier, request);
  if (reply.kind !== 'answered') return giveUp(run, probeClassifier, reply);
  if (assignableOptions(run).length < assignable.length) run.writer.halt({ kind: 'no-records' });
}

function nameClassifier(run: ProbeRun, id: string): Promise<Reply<WireClassifier>> {
  const request = { method: 'PUT', path: pathOf('updateClassifier', id), body: { name: classifierName } };
  return run.update(probeClassifier, id, request as RecordedRequest);
}

/** `itemCreate.clientId`: the id of a new item is the one that was asked for, or another. */
async function prepareItem(run: ProbeRun): Promise<void> {
  if (recordAt(run, probeItem)) return confirm(run, await updateItem(run));
  const repeatable = run.ports.environment.profile['itemCreate.clientId'] === 'honoured';
  if (!repeatable && waits(run, probeItem)) return;
  const reply = await run.create<WireItem>(
    probeItem,
    itemCreate(run, assignableOptions(run).slice(0, 1)),
    repeatable,
  );
  if (reply.kind !== 'answered') {
    // The same id once more made no second record, and an answer to its update shows that there is one.
    const isOpen = repeatable && run.ports.recorder.entries.find('pending', probeItem) !== undefined;
    return isOpen && (await updateItem(run)).kind === 'answered' ? undefined : giveUp(run, probeItem, reply);
  }
  const honoured = reply.answer.id === askedId(run);
  run.tell('itemCreate.clientId', honoured ? 'honoured' : 'ignored', reply.exchange);
}

/** A create of the probe item under the id that is its own in every run. */
export function itemCreate(run: ProbeRun, classifierOptionIds: readonly string[]): RecordedRequest {
  const body = {
    id: askedId(run),
    name: itemName,
    rollNumerator: 1,
    thumbnail: THUMBNAIL,
    classifierOptionIds,
    itemAttributes: rangesOf(probeAttributes(run)),
  } satisfies CreateItemBody;
  return { method: 'POST', path: pathOf('createItem'), body };
}

/** A create of an earlier run whose outcome nobody saw: another one could make a second record. */
function waits(run: ProbeRun, address: Address): boolean {
  const isPending = run.ports.recorder.entries.find('pending', address) !== undefined;
  if (isPending) run.writer.halt({ kind: 'unknown', address });
  return isPending;
}

function confirm(run: ProbeRun, reply: Reply<unknown>): void {
  if (reply.kind === 'refused' || reply.kind === 'unseen')
    run.writer.halt({ kind: 'no-records', ...(reply.error && { error: reply.error }) });
}

function giveUp(run: ProbeRun, address: Address, reply: Exclude<Reply<unknown>, { kind: 'answered' }>): void {
  if (reply.kind === 'stopped') return;
  const error = reply.error && { error: reply.error };
  if (run.ports.recorder.entries.find('pending', address))
    run.writer.halt({ kind: 'unknown', address, ...error });
  else run.writer.halt({ kind: 'no-records', ...error });
}
