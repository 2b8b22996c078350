import { PROBE_KEY } from '../catalog/reserved-keys.ts';
import { pathOf } from '../contract/routes.ts';
import type { UpdateItemBody, WireItem } from '../contract/wire.ts';
import { uuid5 } from '../environment/uuid5.ts';
import { NAME, probeAttributes, rangesOf, recordAt, strayItem } from './records.ts';
import { withoutAnswer } from './reply.ts';
import type { ProbeRun } from './run.ts';

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
