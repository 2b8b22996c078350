import { randomUUID } from 'node:crypto';
import { describeOwner } from '../render/state-text.ts';
import type { LockBusy, LockState } from '../state/file/lock.ts';
import { currentOwner } from '../state/lock-owner.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { askFirst } from './prompt.ts';
import { stateStore } from './state.ts';

type Held = Extract<LockState, { kind: 'held' }>;

/**
 * `trove state unlock`: removes a lock that a run left behind; with `--force` also that of a run which may still be going
 * on, after asking where it surely is.
 */
export async function stateUnlock(
  context: CommandContext,
  { force = false, yes = false }: { readonly force?: boolean; readonly yes?: boolean },
): Promise<ExitCode> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const store = stateStore(environment);
  const found = orFail(await store.inspectLock());
  if (found.kind === 'free') return printFree(context);
  const subject = store.path;
  if (found.standing !== 'gone' && !force) fail([stillHeld(found, subject, context)], exitCode.locked);
  const isAlive = found.standing === 'alive';
  if (isAlive && !yes) await askAboutLiving(found, subject, context);
  const since = context.io.now().toISOString();
  const by = await currentOwner({ id: randomUUID(), operation: 'state unlock', since, version });
  const outcome = orFail(await store.unlock(by, found.owner, force));
  if (outcome.kind === 'not-locked') return printFree(context);
  if (outcome.kind === 'busy') fail([inTheMiddle(outcome, subject, context)], exitCode.locked);
  if (outcome.kind === 'held') fail([takenMeanwhile(outcome, subject, context)], exitCode.locked);
  context.print(`Unlocked: it was held by ${describeOwner(found.owner)}.\n`);
  return exitCode.done;
}

function printFree(context: CommandContext): ExitCode {
  context.print('The state is not locked.\n');
  return exitCode.done;
}

function askAboutLiving(found: Held, subject: string, context: CommandContext): Promise<void> {
  const message = `the run that holds the lock is alive on this machine: ${describeOwner(found.owner)}`;
  const hint = `stop that run first; to remove its lock all the same: trove state unlock --force --yes${context.flags}`;
  context.note(`The run that holds the lock is alive on this machine: ${describeOwner(found.owner)}.\n`);
  return askFirst(context, {
    question: 'It may be about to write, and records may be created twice. Remove its lock?',
    otherwise: 'The lock stays.',
    refusal: error('locked', message, { subject, hint }),
    refusalCode: exitCode.locked,
  });
}

function stillHeld(found: Held, subject: string, { flags }: CommandContext): Diagnostic {
  const may = found.standing === 'alive' ? 'which is still running' : 'which may still be running';
  const hint = `make sure that run has ended, then: trove state unlock --force${flags}`;
  return error('locked', `the lock is held by ${describeOwner(found.owner)}, ${may}`, { subject, hint });
}

function takenMeanwhile(found: Pick<Held, 'owner'>, subject: string, { flags }: CommandContext): Diagnostic {
  const hint = `nothing was removed; to look again: trove state unlock${flags}`;
  return error('locked', `another run has the lock now: ${describeOwner(found.owner)}`, { subject, hint });
}

/** Of the run that has the lock, or of another process that was about to take or remove it. */
function inTheMiddle({ owner, standing }: LockBusy, subject: string, { flags }: CommandContext): Diagnostic {
  const isAlive = standing === 'alive';
  const who = describeOwner(owner);
  const message = `${who} ${isAlive ? 'is' : 'may be'} in the middle of a step with the lock`;
  const again = `trove state unlock --force${flags}`;
  const hint = isAlive
    ? `nothing was removed; look again in a moment, or stop that process first: ${again}`
    : `nothing was removed; make sure that process has ended, then: ${again}`;
  return error('locked', message, { subject, hint });
}
