import { randomUUID } from 'node:crypto';
import type { Environment } from '../../environment/model.ts';
import { noState } from '../../plan/guards.ts';
import { targetOf } from '../../plan/make-plan.ts';
import { describeOwner } from '../../render/state-text.ts';
import { wrapWords } from '../../render/terminal.ts';
import { currentOwner } from '../../state/lock-owner.ts';
import { isUntouched, newState, type State } from '../../state/model.ts';
import { openSession, type Session } from '../../state/session.ts';
import { isOlder, type SavedVersion } from '../../state/version.ts';
import { error } from '../../text/diagnostic.ts';
import { version } from '../../version.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { newestHere, noteHere, olderState } from './older-state.ts';
import { stateStore } from './state-store.ts';
import { sharedBeginning } from './surroundings.ts';

export type OpenedState =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly exit: ExitCode };

export interface OpenStateOptions {
  readonly operation: string;
  /** Begin a new state where none is; without it a missing state is refused. */
  readonly create: boolean;
  /** What a new state begins with; left out, it begins empty. Its serial is 0. */
  readonly initial?: State;
  /** What to do about a missing state; left out, the way of apply. */
  readonly whenMissing?: string;
  /** The command knows what to do about a state that is older than one that this machine had; others are refused. */
  readonly takesOlder?: boolean;
}

/** Locks and reads the state of an environment; where it can't, says why and gives the exit code. */
export async function openState(
  environment: Environment,
  { operation, create, initial, whenMissing, takesOlder = false }: OpenStateOptions,
  context: CommandContext,
): Promise<OpenedState> {
  const { io } = context;
  const since = io.now().toISOString();
  const owner = await currentOwner({ id: randomUUID(), operation, since, version });
  const target = targetOf(environment);
  const store = stateStore(environment);
  const beginning = initial ?? newState({ lineage: randomUUID(), target });
  const newest = await newestHere(environment, context);
  const saved = (version: SavedVersion) => noteHere(environment, version, context);
  const opened = await openSession(store, owner, {
    target,
    newest,
    saved,
    ...(create && { initial: beginning }),
  });
  switch (opened.kind) {
    case 'open': {
      const { session } = opened;
      const shared = isUntouched(session.state) ? await sharedBeginning(environment, context) : [];
      const isRefused = newest && !takesOlder && isOlder(session.state, newest);
      const older = isRefused ? [olderState(environment, session.state, newest, context)] : [];
      if (shared.length + older.length > 0) {
        await session.close();
        context.complain([...shared, ...older]);
        return { ok: false, exit: exitCode.error };
      }
      if (session.state.serial > 0) await saved(session.state);
      tellRecovery(session, context);
      return { ok: true, session };
    }
    case 'absent':
      context.complain([missingState(environment, whenMissing, context)]);
      return { ok: false, exit: exitCode.error };
    case 'failed':
      context.complain(opened.diagnostics);
      return { ok: false, exit: exitCode.error };
    case 'held': {
      const holder = opened.owner ? describeOwner(opened.owner) : 'somebody who left no name';
      const hint = `wait for that run to end; if it is gone for good: trove state unlock${context.flags}`;
      context.complain([
        error('locked', `the state is locked by ${holder}`, { subject: store.describe(), hint }),
      ]);
      return { ok: false, exit: exitCode.locked };
    }
  }
}

function missingState({ name, state }: Environment, hint: string | undefined, context: CommandContext) {
  const subject = state.path;
  if (hint !== undefined) return error('no-state', `environment ${name} has no state`, { subject, hint });
  const { code, reason, remedies } = noState(name, context.flags);
  return error(code, reason, { subject, hint: remedies.join('; ') });
}

function tellRecovery({ recovered, takenOver }: Session, context: CommandContext): void {
  if (takenOver) {
    const told = `An earlier run was cut short: ${describeOwner(takenOver)}. Its lock was taken over.`;
    context.note(`${wrapWords(told, '', '  ').join('\n')}\n`);
  }
  const entries = recovered === 1 ? 'journal entry' : 'journal entries';
  if (recovered > 0) context.note(`Took in ${recovered} ${entries} of an earlier run.\n`);
}
