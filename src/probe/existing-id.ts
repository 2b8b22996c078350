import { PROBE_KEY } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import type { UpdateItemBody, WireItem } from '../contract/wire.ts';
import { uuid5 } from '../environment/uuid5.ts';
import { type Exchange, withoutAnswer } from './model.ts';
import { itemCreate } from './prepare.ts';
import {
  askedId,
  assignableOptions,
  currentItem,
  isSame,
  NAME,
  optionsOf,
  probeAttributes,
  probeItem,
  rangesOf,
  recordAt,
  strayItem,
  updateItem,
} from './records.ts';
import type { ProbeRun } from './run.ts';

const EXISTING = 'itemCreate.existingId';

/**
 * `itemCreate.existingId`: the create of the probe item once more, with another option. Its answer, or the update
 * after an error, shows whether the item has that option now. It also tells `itemCreate.clientId` of a record
 * that an earlier run made.
 */
export async function probeExistingId(run: ProbeRun): Promise<void> {
  const before = await currentItem(run);
  if (before === undefined) return cannotTell(run, 'the item is not known as it was before');
  const had = optionsOf(before);
  const other = assignableOptions(run).find((id) => !had.has(id));
  if (other === undefined) return cannotTell(run, 'there is no option left to assign');
  const wanted = new Set([other]);
  const reply = await run.create<WireItem>(probeItem, itemCreate(run, [other]));
  if (reply.kind === 'stopped') return;
  if (reply.kind === 'answered') return conclude(run, before, reply.answer, reply.exchange, wanted);
  // The interface promises nothing about error codes, so the record itself is looked at.
  const after = await updateItem(run);
  if (after.kind === 'stopped') return;
  if (after.kind !== 'answered')
    return cannotTell(run, 'what became of the item was not seen', reply.exchange);
  const has = optionsOf(after.answer);
  const saidNo = reply.kind === 'refused' || reply.saidNo;
  const isUnchanged = had.size > 0 && isSame(had, has);
  if (isSame(has, wanted)) told(run, 'overwritten', after.exchange);
  else if (saidNo && isUnchanged && before.id === askedId(run)) told(run, 'rejected', reply.exchange);
  else cannotTell(run, saidNo ? 'the answers contradict each other' : 'no answer was seen', reply.exchange);
}

function conclude(
  run: ProbeRun,
  before: WireItem,
  answer: WireItem,
  exchange: Exchange,
  wanted: ReadonlySet<string>,
): void {
  const asked = askedId(run);
  if (before.id !== asked) {
    // Nothing stood at the asked id, so this was a plain create.
    const honoured = answer.id === asked;
    tellClientId(run, honoured ? 'honoured' : 'ignored', exchange);
    if (honoured) run.cannotTell(EXISTING, 'no item had the id that was asked for', exchange);
  } else if (answer.id !== asked) {
    cannotTell(run, 'another record was made under an id of its own', exchange);
  } else if (isSame(optionsOf(answer), wanted)) {
    told(run, 'overwritten', exchange);
  } else {
    cannotTell(run, 'it was answered like a create, and the item is not what was sent', exchange);
  }
}

function told(run: ProbeRun, value: 'rejected' | 'overwritten', exchange: Exchange): void {
  run.tell(EXISTING, value, exchange);
  tellClientId(run, 'honoured', exchange);
}

/** What a create of this very run told is left as it is. */
function tellClientId(run: ProbeRun, value: 'honoured' | 'ignored', exchange: Exchange): void {
  if (!run.resultOf('itemCreate.clientId')) run.tell('itemCreate.clientId', value, exchange);
}

function cannotTell(run: ProbeRun, because: string, exchange?: Exchange): void {
  run.cannotTell(EXISTING, because, exchange);
  if (!run.resultOf('itemCreate.clientId')) run.cannotTell('itemCreate.clientId', because, exchange);
}

/** `update.unknownId`: an update of an id that nobody has is refused, or makes a record of it. */
export async function probeUnknownId(run: ProbeRun): Promise<void> {
  const point = 'update.unknownId';
  // What an earlier run made in this way and could not write into the file is its answer still.
  const made = run.ports.again ? undefined : recordAt(run, strayItem);
  const id = made?.id ?? unusedId(run);
  const body = {
    name: `${NAME} of an unknown id (safe to ignore)`,
    rollNumerator: 1,
    attributes: rangesOf(probeAttributes(run)),
  } satisfies UpdateItemBody;
  const request = { method: 'PUT', path: pathOf('updateItem', id), body } as const;
  const reply = await run.update<WireItem>(strayItem, id, request);
  if (reply.kind === 'stopped') return;
  if (reply.kind === 'answered') return run.tell(point, 'created', reply.exchange);
  if (reply.kind === 'refused') return run.tell(point, 'rejected', reply.exchange);
  run.cannotTell(point, `${withoutAnswer(reply)}; an item ${id} may exist now`, reply.exchange);
}

/**
 * Not the id that a create with this key would ask for: a record under that one would look as if the service had
 * honoured it.
 */
function unusedId({ ports: { environment, recorder } }: ProbeRun): string {
  for (let turn = 1; ; turn++) {
    const id = uuid5(environment.idNamespace, `${PROBE_KEY}-none/${turn}`);
    if (recorder.entries.holderOf('item', id) === undefined) return id;
  }
}
