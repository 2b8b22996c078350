import { randomUUID } from 'node:crypto';
import { describeOwner } from '../render/state-text.ts';
import type { LockBusy, LockHeld } from '../state/file/lock.ts';
import type { FileStore } from '../state/file/store.ts';
import { currentOwner } from '../state/lock-owner.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { exitCode, orFail, refuse } from './exit-code.ts';
import { askFirst, hasTerminal } from './prompt.ts';
import { stateStore } from './state.ts';

/**
 * `trove state unlock`: removes a lock that a run left behind; with `--force` also that of a run which may still be going
 * on, after asking where it surely is.
 */
export async function stateUnlock(
  context: CommandContext,
  { force = false, yes = false }: { readonly force?: boolean; readonly yes?: boolean },
): Promise<void> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const store = stateStore(environment);
  const found = orFail(await store.inspectLock());
  if (found.kind === 'free') return printFree(context);
  const owner = describeOwner(found.owner);
  const again = `trove state unlock --force${context.flags}`;
  const isAlive = found.standing === 'alive';
  if (found.standing !== 'gone' && !force) {
    const may = isAlive ? 'which is still running' : 'which may still be running';
    locked(store, `the lock is held by ${owner}, ${may}`, `make sure that run has ended, then: ${again}`);
  }
  if (isAlive && !yes) {
    const alive = `run that holds the lock is alive on this machine: ${owner}`;
    const hint = `stop that run first; to remove its lock all the same: ${again} --yes`;
    if (!hasTerminal(context)) locked(store, `the ${alive}`, hint);
    context.note(`The ${alive}.\n`);
    const question = 'It may be about to write, and records may be created twice. Remove its lock?';
    await askFirst(context, { question, otherwise: 'The lock stays.', hint });
  }
  const since = context.io.now().toISOString();
  const by = await currentOwner({ id: randomUUID(), operation: 'state unlock', since, version });
  const outcome = orFail(await store.unlock(by, found.owner, force));
  if (outcome.kind === 'not-locked') return printFree(context);
  if (outcome.kind !== 'removed') notRemoved(outcome, store, context);
  context.print(`Unlocked: it was held by ${owner}.\n`);
}

function printFree(context: CommandContext): void {
  context.print('The state is not locked.\n');
}

/** Of a run that took the lock, or a process that is about to take or remove it. */
function notRemoved(outcome: LockHeld | LockBusy, store: FileStore, { flags }: CommandContext): never {
  const who = describeOwner(outcome.owner);
  const command = `trove state unlock${flags}`;
  if (outcome.kind === 'held') {
    const hint = `nothing was removed; to look again: ${command}`;
    return locked(store, `another run has the lock now: ${who}`, hint);
  }
  const [is, first] =
    outcome.standing === 'alive'
      ? ['is', 'look again in a moment, or stop that process first']
      : ['may be', 'make sure that process has ended, then'];
  const hint = `nothing was removed; ${first}: ${command} --force`;
  return locked(store, `${who} ${is} in the middle of a step with the lock`, hint);
}

function locked({ path }: FileStore, message: string, hint: string): never {
  return refuse('locked', message, { subject: path, hint }, exitCode.locked);
}
