import { randomUUID } from 'node:crypto';
import { describeOwner } from '../render/lock-owner.ts';
import { currentOwner } from '../state/current-owner.ts';
import { createFileStore } from '../state/file/store.ts';
import type { LockHeld } from '../state/store.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadEnvironmentOnly } from './invocation/inputs.ts';

/** `trove state unlock`: removes a lock that a run left behind; `--force` whoever holds it. */
export async function stateUnlock(
  context: CommandContext,
  { force = false }: { force?: boolean },
): Promise<ExitCode> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) {
    context.complain(environment.diagnostics);
    return exitCode.error;
  }
  const store = createFileStore({ path: environment.value.state.path });
  const since = context.io.now().toISOString();
  const by = await currentOwner({ id: randomUUID(), operation: 'state unlock', since, version });
  const outcome = await store.unlock(by, force);
  switch (outcome.kind) {
    case 'removed':
      context.print(`Unlocked${outcome.owner ? `: it was held by ${describeOwner(outcome.owner)}` : ''}.\n`);
      return exitCode.done;
    case 'not-locked':
      context.print('The state is not locked.\n');
      return exitCode.done;
    case 'held':
      context.complain([stillHeld(outcome, store.describe(), context)]);
      return exitCode.locked;
    case 'failed':
      context.complain(outcome.diagnostics);
      return exitCode.error;
  }
}

function stillHeld({ owner }: LockHeld, subject: string, { flags }: CommandContext): Diagnostic {
  const holder = owner ? describeOwner(owner) : 'somebody who left no name';
  const message = `the lock is held by ${holder}, which may still be running`;
  const hint = `make sure that run has ended, then: trove state unlock --force${flags}`;
  return error('locked', message, { subject, hint });
}
