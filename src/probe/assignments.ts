import type { WireItem } from '../contract/api.ts';
import { type Profile, profilePoints, unknownProfile } from '../contract/profile.ts';
import type { Names } from '../resources/fields.ts';
import { encodeAssignments } from '../resources/item.ts';
import type { Exchange } from './model.ts';
import { assignableOptions, currentClassifier, currentItem, isSame, updateItem } from './records.ts';
import { Inconclusive, optionsOf, type ProbeRun, type Reply } from './run.ts';

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
    if (!before) throw new Inconclusive('assignments-unknown', last);
    const asked = unassignedOption(run, before, last);
    const reply = await assign(run, shape, [asked]);
    last = reply.exchange;
    if (reply.kind === 'answered') {
      const after = optionsOf(reply.answer);
      if (!after.has(asked)) continue;
      run.tell(SHAPE, shape, last);
      return probeReplacement(run, shape, { before, asked, after, exchange: last });
    }
    if (reply.kind === 'unseen') {
      // Taken all the same, perhaps: then the next shape would seem to have done it.
      if ((await currentOptions(run))?.has(asked)) throw new Inconclusive('changed-unanswered', last);
      doubtful ||= !reply.saidNo;
    }
  }
  if (doubtful) throw new Inconclusive('update-unseen', last);
  if (last) run.tell(SHAPE, 'unsupported', last);
  throw new Inconclusive('no-shape-taken', last);
}

async function probeReplacement(run: ProbeRun, shape: Shape, taken: Taken): Promise<void> {
  const { before, asked, after, exchange } = taken;
  if (before.size === 0) return againWithAnother(run, shape, taken);
  if (isSame(after, new Set([...before, asked]))) return run.tell(ASSIGNMENTS, 'merge', exchange);
  if (!isSame(after, new Set([asked]))) throw new Inconclusive('some-options-gone', exchange);
  const none = await assign(run, shape, []);
  if (none.kind !== 'answered' || none.answer.classifiers.length > 0)
    throw new Inconclusive('not-emptied', none.exchange);
  run.tell(ASSIGNMENTS, 'replace', exchange);
  // So that what follows has something to lose.
  await assign(run, shape, [asked]);
}

/** Where nothing was assigned before, replacing and merging look the same. */
async function againWithAnother(run: ProbeRun, shape: Shape, { after: before, exchange }: Taken) {
  const asked = unassignedOption(run, before, exchange);
  const reply = await assign(run, shape, [asked]);
  if (reply.kind !== 'answered' || !optionsOf(reply.answer).has(asked))
    throw new Inconclusive('taken-once', reply.exchange);
  const after = optionsOf(reply.answer);
  return probeReplacement(run, shape, { before, asked, after, exchange: reply.exchange });
}

export function unassignedOption(run: ProbeRun, assigned: Ids, exchange?: Exchange): string {
  const option = assignableOptions(run).find((id) => !assigned.has(id));
  if (option === undefined) throw new Inconclusive('no-option-left', exchange);
  return option;
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
