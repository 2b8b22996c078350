import type { Environment } from '../../environment/model.ts';
import type { Session } from '../../state/session.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { loadEnvironmentOnly } from '../invocation/inputs.ts';
import { type OpenStateOptions, openState } from './open-state.ts';

/** Locks the state of an environment for as long as `work` takes; where it can't, the exit code says why. */
export async function withStateOf(
  environment: Environment,
  options: OpenStateOptions,
  context: CommandContext,
  work: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await openState(environment, options, context);
  if (!opened.ok) return opened.exit;
  try {
    return await work(opened.session);
  } finally {
    const closed = await opened.session.close();
    if (!closed.ok) context.complain(closed.diagnostics);
  }
}

/** The same for the chosen environment, which must have a state. */
export async function withState(
  context: CommandContext,
  operation: string,
  work: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) {
    context.complain(environment.diagnostics);
    return exitCode.error;
  }
  const whenMissing = 'it begins with the first apply or import; if it is mislaid, put it back first';
  return withStateOf(environment.value, { operation, create: false, whenMissing }, context, work);
}
