import type { Action, Change, Plan } from '../plan/model.ts';
import type { StateEvent } from '../state/event.ts';
import { isDone, sendChange } from './change.ts';
import { type ApplyReport, type ChangeResult, type Halt, resultOf } from './model.ts';
import { beginRecovery, endRecovery, isSearch, recoverRecord } from './recovery.ts';
import { type ApplyPorts, Run } from './run.ts';

/** How many first writes may be refused, one after another, before the run is given up. */
const CANARY_LIMIT = 3;

type Send = (change: Change) => Promise<ChangeResult>;

/**
 * Carries the plan out: renames are recorded, the first write goes alone, then classifiers, then items, each kind in
 * parallel; retirements are recorded last. Resolves with a result for every change of the plan. `clientIdHonoured`: a
 * create with an ID may be repeated.
 */
export async function apply(plan: Plan, ports: ApplyPorts, clientIdHonoured: boolean): Promise<ApplyReport> {
  const run = new Run(ports, plan, clientIdHonoured);
  const moved = await recorded(plan.moved, run, (move) => ({ type: 'moved', ...move }));
  if (!run.halted) await beginRecovery(plan, run);
  const jobs = plan.changes.filter(({ requests }) => requests.length > 0);
  const results = new Map<Change, ChangeResult>();
  let done = 0;
  ports.emit({ type: 'started', total: jobs.length });
  await sendJobs(jobs, run, async (change) => {
    const result = await perform(change, run);
    results.set(change, result);
    if (wasSent(result)) done++;
    ports.emit({ type: 'finished', result, done, total: jobs.length });
    return result;
  });
  const isHalted = isCutShort(run.halted, [...results.values()]);
  for (const change of plan.changes) {
    if (change.action === 'retire') results.set(change, await retire(change, run, isHalted));
    if (isLeftAlone(change.action)) results.set(change, resultOf(change, change.action));
  }
  const protections = isHalted ? [] : await recordProtections(plan, run);
  if (!isHalted) await endRecovery(plan, run);
  const halt = isHalted || run.halted?.kind !== 'interrupted' ? run.halted : undefined;
  const { environment, target } = plan;
  const all = plan.changes.flatMap((change) => results.get(change) ?? []);
  return { environment, target, results: all, moved, protections, ...(halt && { halt }) };
}

async function sendJobs(jobs: readonly Change[], run: Run, send: Send): Promise<void> {
  const rest = jobs.slice(await sendAlone(jobs, send, run));
  const items = rest.filter(({ kind }) => kind === 'item');
  const classifiers = rest.filter(({ kind }) => kind === 'classifier');
  await sendParallel(classifiers, run, send);
  const scout = await scoutClientId(items, run, send);
  const others = items.filter((item) => item !== scout);
  await sendParallel(others, run, send);
  await sendParallel(run.released(), run, send);
}

/** The canary: one write at a time until one has succeeded. Gives how many were used up. */
async function sendAlone(jobs: readonly Change[], send: Send, run: Run): Promise<number> {
  let spent = 0;
  for (const [index, change] of jobs.entries()) {
    const sent = await send(change);
    if (isDone(sent)) return index + 1;
    if (wasSent(sent) && ++spent === CANARY_LIMIT) run.writer.halt({ kind: 'canary' });
  }
  return jobs.length;
}

/** The first item create goes alone as well while it is unknown whether the service honors IDs. */
async function scoutClientId(items: readonly Change[], run: Run, send: Send): Promise<Change | undefined> {
  const first = items.find(({ requests }) => requests.some(({ method }) => method === 'POST'));
  if (first === undefined || run.clientIdHonoured !== undefined) return undefined;
  await send(first);
  return first;
}

/**
 * At most `parallel` jobs have begun at any moment: each records its intent first, and a crash should leave few
 * of these open. How fast the service is asked is the client's business.
 */
async function sendParallel(jobs: readonly Change[], run: Run, send: Send): Promise<void> {
  const queue = jobs.values();
  const worker = async () => {
    for (const change of queue)
      await send(change).catch((error) => {
        run.writer.halt({ kind: 'interrupted' });
        throw error;
      });
  };
  // Whatever one of them throws, the others have requests under way, whose answers have to be recorded first.
  const ended = await Promise.allSettled(Array.from({ length: run.ports.parallel }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function perform(change: Change, run: Run): Promise<ChangeResult> {
  if (run.halted) return resultOf(change, 'not-started');
  return isSearch(change, run) ? recoverRecord(change, run) : sendChange(change, run);
}

function isLeftAlone(action: Action): action is 'blocked' | 'unknown' | 'waiting' {
  return action === 'blocked' || action === 'unknown' || action === 'waiting';
}

/** What waits or is blocked, perhaps after a search, or came after a halt, was not sent. */
function wasSent({ result }: ChangeResult): boolean {
  return !['not-started', 'waiting', 'blocked'].includes(result);
}

/** Ctrl-C after the last answer stops nothing: what is left to do is to record. */
function isCutShort(halt: Halt | undefined, results: readonly ChangeResult[]): boolean {
  if (halt?.kind !== 'interrupted') return halt !== undefined;
  return results.some(({ result }) => result === 'not-started' || result === 'unknown');
}

async function retire(change: Change, { writer, ports }: Run, isHalted: boolean): Promise<ChangeResult> {
  const event = { type: 'retired', address: change.address, at: ports.now().toISOString() } as const;
  return resultOf(change, !isHalted && (await writer.note(event)) ? 'recorded' : 'not-started');
}

/**
 * Records what changes only in the state: nothing of this is ever sent. Gives what was recorded. In one turn, since the
 * journal commits at once what is recorded at once.
 */
async function recorded<T>(
  all: readonly T[],
  { writer }: Run,
  event: (each: T) => StateEvent,
): Promise<readonly T[]> {
  const kept = await Promise.all(all.map((each) => writer.note(event(each))));
  return all.filter((_, index) => kept[index]);
}

/** Of what was replaced meanwhile, the new record has it from its declaration already. */
async function recordProtections({ protections }: Plan, run: Run): Promise<Plan['protections']> {
  const { entries } = run.ports.recorder;
  const known = protections.filter(({ address }) => entries.find('live', address) !== undefined);
  return recorded(known, run, (each) => ({ type: 'protection', ...each }));
}
