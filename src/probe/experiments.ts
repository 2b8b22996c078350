import { PROBE_KEY } from '../catalog/model.ts';
import type { UpdateClassifierBody, WireClassifier, WireItem, WireOption } from '../contract/api.ts';
import { uuid5 } from '../environment/defaults.ts';
import { unassignedOption } from './assignments.ts';
import type { Exchange } from './model.ts';
import {
  ASSIGNABLE,
  askedId,
  classifierName,
  createItem,
  currentClassifier,
  currentItem,
  isSame,
  NAME,
  probeAttributes,
  probeClassifier,
  rangesOf,
  recordAt,
  strayItem,
  THUMBNAIL,
  updateBody,
  updateItem,
  waits,
} from './records.ts';
import { Inconclusive, optionsOf, orInconclusive, type ProbeRun, type Reply, withoutAnswer } from './run.ts';

/** `itemUpdate.omittedThumbnail`: an update without one keeps it or clears it. */
export async function probeOmittedThumbnail(run: ProbeRun): Promise<void> {
  const before = await withThumbnail(run);
  const { answer, exchange } = orInconclusive(await updateItem(run));
  const { thumbnail } = answer;
  if (thumbnail !== before.thumbnail && thumbnail !== null) throw new Inconclusive('became-other', exchange);
  run.tell('itemUpdate.omittedThumbnail', thumbnail === null ? 'cleared' : 'kept', exchange);
}

/** `itemUpdate.clearThumbnail`: null clears it, or an empty text does, or neither. */
export async function probeClearThumbnail(run: ProbeRun): Promise<void> {
  const point = 'itemUpdate.clearThumbnail';
  const tried: Reply<WireItem>[] = [];
  for (const [value, thumbnail] of [['null', null] as const, ['empty', ''] as const]) {
    await withThumbnail(run);
    const reply = await updateItem(run, { thumbnail });
    if (reply.kind === 'answered' && reply.answer.thumbnail === null)
      return run.tell(point, value, reply.exchange);
    tried.push(reply);
  }
  const telling = tried.findLast(({ kind }) => kind === 'unseen') ?? tried.at(-1);
  if (telling?.kind === 'unseen') throw new Inconclusive(withoutAnswer(telling), telling.exchange);
  if (telling) run.tell(point, 'unsupported', telling.exchange);
}

/** The probe item with a thumbnail, which is set where it has none. */
async function withThumbnail(run: ProbeRun): Promise<WireItem> {
  const item = await currentItem(run);
  if (item?.thumbnail) return item;
  const reply = item && (await updateItem(run, { thumbnail: THUMBNAIL }));
  if (reply?.kind === 'answered' && reply.answer.thumbnail === THUMBNAIL) return reply.answer;
  throw new Inconclusive('thumbnail-not-set', reply?.exchange);
}

/** `itemUpdate.attributes`: a range that an update leaves out is gone (replace) or still there (merge). */
export async function probeAttributeUpdate(run: ProbeRun): Promise<void> {
  const ids = probeAttributes(run);
  const item = await currentItem(run);
  if (!item || !hasRanges(item, ids)) {
    const reply = item && (await updateItem(run));
    if (reply?.kind !== 'answered' || !hasRanges(reply.answer, ids))
      throw new Inconclusive('ranges-not-set', reply?.exchange);
  }
  const kept = ids.slice(0, -1);
  const { answer, exchange } = orInconclusive(await updateItem(run, { attributes: rangesOf(kept) }));
  if (!hasRanges(answer, kept)) throw new Inconclusive('range-missing', exchange);
  run.tell('itemUpdate.attributes', hasRanges(answer, ids) ? 'merge' : 'replace', exchange);
}

function hasRanges({ attributes }: WireItem, ids: readonly string[]): boolean {
  return ids.every((id) => attributes.some(({ attributeId }) => attributeId === id));
}

type Answered = Extract<Reply<WireItem>, { kind: 'answered' }>;

/**
 * `itemCreate.existingId`: the create of the probe item once more, with another option. Its answer, or the update
 * after an error, shows whether the item has that option now. It also tells `itemCreate.clientId` of a record
 * that an earlier run made.
 */
export async function probeExistingId(run: ProbeRun): Promise<void> {
  const before = await currentItem(run);
  if (before === undefined) throw new Inconclusive('item-unknown');
  const had = optionsOf(before);
  const other = unassignedOption(run, had);
  const wanted = new Set([other]);
  const reply = await createItem(run, [other]);
  if (reply.kind === 'answered') return conclude(run, before, reply, wanted);
  // The interface promises nothing about error codes, so the record itself is looked at.
  const after = await updateItem(run);
  if (after.kind !== 'answered') throw new Inconclusive('item-unseen', reply.exchange);
  const has = optionsOf(after.answer);
  const isUnchanged = had.size > 0 && isSame(had, has);
  if (isSame(has, wanted)) return told(run, 'overwritten', after.exchange);
  if (reply.saidNo && isUnchanged && before.id === askedId(run)) return told(run, 'rejected', reply.exchange);
  const because = reply.saidNo ? 'contradiction' : 'no-answer';
  throw new Inconclusive(because, reply.exchange);
}

function conclude(
  run: ProbeRun,
  before: WireItem,
  { answer, exchange }: Answered,
  wanted: ReadonlySet<string>,
): void {
  const isHonoured = answer.id === askedId(run);
  if (before.id !== askedId(run)) {
    // Nothing stood at the asked ID, so this was a plain create.
    run.tell('itemCreate.clientId', isHonoured ? 'honoured' : 'ignored', exchange);
    if (isHonoured) throw new Inconclusive('no-such-item', exchange);
    return;
  }
  if (!isHonoured) throw new Inconclusive('another-record', exchange);
  if (!isSame(optionsOf(answer), wanted)) throw new Inconclusive('not-as-sent', exchange);
  told(run, 'overwritten', exchange);
}

function told(run: ProbeRun, value: 'rejected' | 'overwritten', exchange: Exchange): void {
  run.tell('itemCreate.existingId', value, exchange);
  run.tell('itemCreate.clientId', 'honoured', exchange);
}

/** `update.unknownId`: an update of an unused ID is refused, or creates a record, perhaps under another ID. */
export async function probeUnknownId(run: ProbeRun): Promise<void> {
  if (waits(run, strayItem)) return;
  // What an earlier run made in this way and could not write into the file is its answer still.
  const made = run.ports.again ? undefined : recordAt(run, strayItem);
  const id = made?.id ?? unusedId(run);
  const name = `${NAME} of an unknown id (safe to ignore)`;
  const body = updateBody(run, { name });
  const reply = await run.update(strayItem, id, body, (answer) =>
    answer.id !== id && answer.name !== name ? { code: 'other-id', id: answer.id, expected: id } : undefined,
  );
  if (reply.kind !== 'unseen')
    return run.tell('update.unknownId', reply.kind === 'answered' ? 'created' : 'rejected', reply.exchange);
  if (!waits(run, strayItem)) throw new Inconclusive({ code: 'perhaps-made', id }, reply.exchange);
}

/**
 * Not the ID that a create with this key would ask for: a record under that one would look as if the service had
 * honoured it.
 */
function unusedId({ ports: { environment, recorder } }: ProbeRun): string {
  for (let turn = 1; ; turn++) {
    const id = uuid5(environment.idNamespace, `${PROBE_KEY}-none/${turn}`);
    if (recorder.entries.naming('item', id).size === 0) return id;
  }
}

type Option = Pick<WireOption, 'name' | 'dropRateMultiplier'>;

/**
 * `classifierUpdate.options`: one update that changes a multiplier, leaves an option out and adds one. All three
 * taken: replace. All but the one left out: merge-by-name. Nothing taken: unsupported.
 */
export async function probeClassifierOptions(run: ProbeRun): Promise<void> {
  const point = 'classifierUpdate.options';
  const { id, classifierOptions: before } = currentClassifier(run);
  const [changed, dropped] = before.filter(({ name }) => !name.startsWith(ASSIGNABLE));
  if (!changed || !dropped) throw new Inconclusive('too-few-options');
  const wanted = [...before.filter((option) => option !== dropped).map(changedFrom(changed)), added(before)];
  const body = { name: classifierName, classifierOptions: wanted } satisfies UpdateClassifierBody;
  const reply = await run.update<WireClassifier>(probeClassifier, id, body);
  if (reply.kind === 'refused') return run.tell(point, 'unsupported', reply.exchange);
  const { answer, exchange } = orInconclusive(reply);
  const isNow = (options: readonly Option[]) => haveOptions(answer.classifierOptions, options, before);
  if (isNow(wanted)) return run.tell(point, 'replace', exchange);
  if (isNow([...wanted, dropped])) return run.tell(point, 'merge-by-name', exchange);
  if (isNow(before)) return run.tell(point, 'unsupported', exchange);
  throw new Inconclusive('options-became-other', exchange);
}

function changedFrom({ name: changed }: Option): (option: Option) => Option {
  return ({ name, dropRateMultiplier }) => ({
    name,
    dropRateMultiplier: name === changed ? (dropRateMultiplier === 1 ? 2 : 1) : dropRateMultiplier,
  });
}

function added(before: readonly Option[]): Option {
  const names = new Set(before.map(({ name }) => name));
  let number = 1;
  while (names.has(`Add ${number}`)) number++;
  return { name: `Add ${number}`, dropRateMultiplier: 1 };
}

/** The same names with the same multipliers, in any order, and what was there before still under its ID. */
function haveOptions(
  answered: readonly WireOption[],
  wanted: readonly Option[],
  before: readonly WireOption[],
): boolean {
  const found = new Map(answered.map((option) => [option.name, option]));
  const ids = new Map(before.map(({ name, id }) => [name, id]));
  return (
    answered.length === wanted.length &&
    wanted.every(({ name, dropRateMultiplier }) => {
      const option = found.get(name);
      const kept = option !== undefined && (ids.get(name) ?? option.id) === option.id;
      return kept && option.dropRateMultiplier === dropRateMultiplier;
    })
  );
}
