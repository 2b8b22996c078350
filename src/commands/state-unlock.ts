import { randomUUID } from 'node:crypto';
import { describeOwner } from '../render/state-text.ts';
import { currentOwner } from '../state/lock-owner.ts';
import type { LockBusy, LockState } from '../state/store.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import { askFirst } from './asking/ask-first.ts';
import { hasTerminal } from './asking/questions.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadEnvironmentOnly } from './invocation/inputs.ts';
import { stateStore } from './recording/state-store.ts';

type Held = Extract<LockState, { kind: 'held' }>;

/**
 * `trove state unlock`: removes a lock that a run left behind; with `--force` also that of a run which may still be going
 * on, after asking where it surely is.
 */
export async function stateUnlock(
  context: CommandContext,
  { force = false, yes = false }: { readonly force?: boolean; readonly yes?: boolean },
): Promise<ExitCode> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) return refuse(context, environment.diagnostics);
  const store = stateStore(environment.value);
  const found = await store.inspectLock();
  if (found.kind === 'failed') return refuse(context, found.diagnostics);
  if (found.kind === 'free') return tellFree(context);
  const subject = store.describe();
  if (found.standing !== 'gone' && !force)
    return refuse(context, [stillHeld(found, subject, context)], 'locked');
  const isAlive = found.standing === 'alive';
  const agreed = isAlive && !yes ? await askAboutLiving(found, subject, context) : undefined;
  if (agreed !== undefined) return hasTerminal(context) ? agreed : exitCode.locked;
  const since = context.io.now().toISOString();
  const by = await currentOwner({ id: randomUUID(), operation: 'state unlock', since, version });
  const outcome = await store.unlock(by, found.owner, force);
  if (outcome.kind === 'failed') return refuse(context, outcome.diagnostics);
  if (outcome.kind === 'not-locked') return tellFree(context);
  if (outcome.kind === 'busy') return refuse(context, [inTheMiddle(outcome, subject, context)], 'locked');
  if (outcome.kind === 'held') return refuse(context, [takenMeanwhile(outcome, subject, context)], 'locked');
  context.print(`Unlocked: it was held by ${holderOf(found)}.\n`);
  return exitCode.done;
}

function tellFree(context: CommandContext): ExitCode {
  context.print('The state is not locked.\n');
  return exitCode.done;
}

function askAboutLiving(
  found: Held,
  subject: string,
  context: CommandContext,
): Promise<ExitCode | undefined> {
  const message = `the run that holds the lock is alive on this machine: ${holderOf(found)}`;
  const hint = `stop that run first; to remove its lock all the same: trove state unlock --force --yes${context.flags}`;
  context.note(`The run that holds the lock is alive on this machine: ${holderOf(found)}.\n`);
  return askFirst(context, {
    question: 'It may be about to write, and records may be created twice. Remove its lock?',
    otherwise: 'The lock stays.',
    refusal: error('locked', message, { subject, hint }),
  });
}

function holderOf({ owner }: Pick<Held, 'owner'>): string {
  return owner ? describeOwner(owner) : 'somebody who left no name';
}

function stillHeld(found: Held, subject: string, { flags }: CommandContext): Diagnostic {
  const may = found.standing === 'alive' ? 'which is still running' : 'which may still be running';
  const hint = `make sure that run has ended, then: trove state unlock --force${flags}`;
  return error('locked', `the lock is held by ${holderOf(found)}, ${may}`, { subject, hint });
}

function takenMeanwhile(found: Pick<Held, 'owner'>, subject: string, { flags }: CommandContext): Diagnostic {
  const hint = `nothing was removed; to look again: trove state unlock${flags}`;
  return error('locked', `another run has the lock now: ${holderOf(found)}`, { subject, hint });
}

/** Of the run that has the lock, or of another process that was about to take or remove it. */
function inTheMiddle({ owner, standing }: LockBusy, subject: string, { flags }: CommandContext): Diagnostic {
  const isAlive = standing === 'alive';
  const who = holderOf(owner ? { owner } : {});
  const message = `${who} ${isAlive ? 'is' : 'may be'} in the middle of a step with the lock`;
  const again = `trove state unlock --force${flags}`;
  const hint = isAlive
    ? `nothing was removed; look again in a moment, or stop that process first: ${again}`
    : `nothing was removed; make sure that process has ended, then: ${again}`;
  return error('locked', message, { subject, hint });
}

function refuse(
  context: CommandContext,
  diagnostics: readonly Diagnostic[],
  code: 'error' | 'locked' = 'error',
): ExitCode {
  context.complain(diagnostics);
  return exitCode[code];
}
