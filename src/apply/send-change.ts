import type { Change } from '../plan/model.ts';
import type { RecordedRequest } from '../state/model.ts';
import { type ChangeResult, resultOf } from './model.ts';
import { recoverRecord } from './recover-record.ts';
import { resolveRequest } from './resolve-request.ts';
import type { Run } from './run.ts';
import { sendCreate, sendUpdate } from './write-change.ts';

/** Sends one change, with every id that was promised to it, and records what became of it. */
export async function sendChange(change: Change, run: Run): Promise<ChangeResult> {
  const isSearch = change.action === 'adopt' && !run.ports.recorder.entries.find('imported', change.address);
  const requests: RecordedRequest[] = [];
  for (const planned of change.requests) {
    const resolved = resolveRequest(planned, run);
    const { remoteId } = isSearch ? { remoteId: null } : change;
    if (!resolved.ok) return resultOf(change, resolved.result, { remoteId, reason: resolved.reason });
    requests.push(resolved.request);
  }
  const [first] = requests;
  if (first === undefined) throw new Error(`${change.address} has nothing to send.`);
  if (isSearch) return recoverRecord(change, requests, run);
  return first.method === 'POST' ? sendCreate(change, first, run) : sendUpdate(change, first, run);
}
