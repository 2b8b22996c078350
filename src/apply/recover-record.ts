import type { Change } from '../plan/model.ts';
import type { RecordedRequest } from '../state/model.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { recordNamespace } from './recovery.ts';
import type { Run } from './run.ts';
import { sendCreate, sendUpdate } from './write-change.ts';

/**
 * Looks for an item of a lost state by one update for each id that it can have, up to the first that answers. Where
 * all of them are refused in one way it is not there, and the create follows, the last request where there is one.
 * A refusal that may pass (429), or that is not like the one before it, says nothing about the id.
 */
export async function recoverRecord(
  change: Change,
  requests: readonly RecordedRequest[],
  run: Run,
): Promise<ChangeResult> {
  const statuses = new Set<number | undefined>();
  for (const request of requests) {
    if (request.method === 'POST' && run.finds.any(hasDeclaredId(change, run)))
      return sendCreate({ ...change, action: 'create', remoteId: null }, request, run);
    if (request.method === 'POST') break;
    const remoteId = decodeURIComponent(request.path.slice('/items/'.length));
    // What was found meanwhile for another address would be overwritten by the asking.
    const holder = run.ports.recorder.entries.holderOf(change.kind, remoteId);
    if (holder !== undefined && holder !== change.address) continue;
    const written = await sendUpdate({ ...change, remoteId }, request, run);
    if (written.result === 'applied' || written.result === 'diverged') await found(change, run);
    const { error } = written;
    if (written.result === 'not-started') return { ...written, ...unfound };
    if (written.result === 'unknown' && error)
      return resultOf(change, 'unknown', { ...unfound, error, reason: LOOK_AGAIN });
    if (written.result !== 'failed' || !error) return written;
    if (run.halted || error.transient || statuses.add(error.status).size > 1)
      return resultOf(change, 'failed', { ...unfound, error });
  }
  return notFound(change, run);
}

async function found(change: Change, run: Run): Promise<void> {
  const isDeclared = hasDeclaredId(change, run);
  // Once: to look into the state copies it whole.
  const isFirst = !isDeclared && !run.finds.isNamespaceKnown();
  run.finds.found(isDeclared);
  if (isFirst) await recordNamespace(run);
}

function hasDeclaredId({ key }: Change, { ports: { catalog } }: Run): boolean {
  return catalog.items.get(key)?.declaration.id !== undefined;
}

/** It waits: for what keeps it from being created, or for something to be found at all. */
async function notFound(change: Change, run: Run): Promise<ChangeResult> {
  const isDeclared = hasDeclaredId(change, run);
  if (!run.finds.any(isDeclared)) {
    run.finds.holdBack(change, isDeclared);
    return resultOf(change, 'not-started', { ...unfound, reason: NOTHING_FOUND });
  }
  await run.writer.note({ type: 'not-there', address: change.address });
  return resultOf(change, 'not-started', {
    ...unfound,
    ...(change.reason !== undefined && { reason: change.reason }),
  });
}

/** Which of the ids it has, if any, is what was to be found out. */
const unfound = { remoteId: null } as const;
const NOTHING_FOUND =
  'no item was found under an id derived from the idNamespace of the environment, so it may be another one, and nothing is created; what surely is new: --confirm-new ADDRESS';
const LOOK_AGAIN = 'nobody knows whether it is there; the next apply looks for it again';
