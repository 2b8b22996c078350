import { type Profile, profilePoints, unknownProfile } from '../contract/profile.ts';
import type { WireItem } from '../contract/wire.ts';
import { encodeAssignments } from '../resources/assignments.ts';
import type { Names } from '../resources/kind.ts';
import { type Exchange, type Reply, withoutAnswer } from './model.ts';
import {
  assignableOptions,
  currentClassifier,
  currentItem,
  isSame,
  optionsOf,
  probeAttributes,
  rangesOf,
  updateItem,
} from './records.ts';
import type { ProbeRun } from './run.ts';

type Shape = Profile['itemUpdate.classifierOptionIds'];
type Ids = ReadonlySet<string>;

const SHAPE = 'itemUpdate.classifierOptionIds';
const ASSIGNMENTS = 'itemUpdate.assignments';

/** Which options an item had and which it has, where one was asked for. */
interface Taken {
  readonly before: Ids;
  readonly asked: string;
  readonly after: Ids;
  readonly exchange: Exchange;
}

/**
 * `itemUpdate.classifierOptionIds` and `itemUpdate.assignments`: asks in one shape after the other for an option
 * that is not assigned. The first shape after which it is assigned is the service's; what became of the options
 * that were there tells whether an update replaces or merges.
 */
export async function probeAssignments(run: ProbeRun): Promise<void> {
  let last: Exchange | undefined;
  let doubtful = false;
  for (const shape of profilePoints[SHAPE]) {
    if (shape === 'unsupported') continue;
    const before = await currentOptions(run);
    if (before === undefined) return cannotTell(run, 'the assignments at that time are not known', last);
    const asked = assignableOptions(run).find((id) => !before.has(id));
    if (asked === undefined) return cannotTell(run, 'there is no option left to assign', last);
    const reply = await assign(run, shape, [asked]);
    if (reply.kind === 'stopped') return;
    last = reply.exchange;
    if (reply.kind === 'answered') {
      const after = optionsOf(reply.answer);
      if (!after.has(asked)) continue;
      run.tell(SHAPE, shape, last);
      return probeReplacement(run, shape, { before, asked, after, exchange: last });
    }
    if (reply.kind === 'unseen') {
      // Taken all the same, perhaps: then the next shape would seem to have done it.
      if ((await currentOptions(run))?.has(asked))
        return cannotTell(run, 'an update that was not answered changed the assignments', last);
      doubtful ||= !reply.saidNo;
    }
  }
  if (doubtful) return cannotTell(run, 'the outcome of an update was not seen', last);
  if (last) run.tell(SHAPE, 'unsupported', last);
  run.cannotTell(ASSIGNMENTS, 'no shape of classifierOptionIds was taken', last);
}

async function probeReplacement(run: ProbeRun, shape: Shape, taken: Taken): Promise<void> {
  const { before, asked, after, exchange } = taken;
  if (before.size === 0) return againWithAnother(run, shape, taken);
  if (isSame(after, new Set([...before, asked]))) return run.tell(ASSIGNMENTS, 'merge', exchange);
  if (!isSame(after, new Set([asked])))
    return run.cannotTell(ASSIGNMENTS, 'some of the options that were assigned are gone', exchange);
  const none = await assign(run, shape, []);
  if (none.kind === 'stopped') return;
  if (none.kind !== 'answered' || none.answer.classifiers.length > 0)
    return run.cannotTell(ASSIGNMENTS, 'it replaces, and an empty object leaves something', none.exchange);
  run.tell(ASSIGNMENTS, 'replace', exchange);
  // So that what follows has something to lose.
  await assign(run, shape, [asked]);
}

/** Where nothing was assigned before, replacing and merging look the same. */
async function againWithAnother(run: ProbeRun, shape: Shape, { after, exchange }: Taken): Promise<void> {
  const asked = assignableOptions(run).find((id) => !after.has(id));
  if (asked === undefined) return run.cannotTell(ASSIGNMENTS, 'there is no option left to assign', exchange);
  const reply = await assign(run, shape, [asked]);
  if (reply.kind === 'stopped') return;
  if (reply.kind !== 'answered' || !optionsOf(reply.answer).has(asked))
    return run.cannotTell(ASSIGNMENTS, 'the shape was taken once and then not', reply.exchange);
  const next = { before: after, asked, after: optionsOf(reply.answer), exchange: reply.exchange };
  return probeReplacement(run, shape, next);
}

async function currentOptions(run: ProbeRun): Promise<Ids | undefined> {
  const item = await currentItem(run);
  return item && optionsOf(item);
}

/** As an update of a catalog would ask for them. */
function assign(run: ProbeRun, shape: Shape, options: readonly string[]): Promise<Reply<WireItem>> {
  const { id } = currentClassifier(run);
  const wanted = new Map(options.length > 0 ? [[id, options]] : []);
  const classifierOptionIds = encodeAssignments(wanted, { ...unknownProfile, [SHAPE]: shape }, itself);
  return updateItem(run, { ...(classifierOptionIds && { classifierOptionIds }) });
}

/** Ids stand for themselves: the probe records have no keys in a catalog. */
const itself: Names = {
  attributeId: (id) => id,
  attributeKey: (id) => id,
  classifierId: (id) => id,
  optionId: (_classifier, id) => id,
  optionOf: () => undefined,
  isGone: () => false,
};

function cannotTell(run: ProbeRun, because: string, exchange: Exchange | undefined): void {
  run.cannotTell(SHAPE, because, exchange);
  run.cannotTell(ASSIGNMENTS, because, exchange);
}

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
