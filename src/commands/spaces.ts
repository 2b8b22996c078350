import { renderSpaces } from '../render/command-texts.ts';
import { renderServiceError } from '../render/service-error.ts';
import { renderJson } from '../render/terminal.ts';
import { error } from '../text/diagnostic.ts';
import { connect } from './connecting/connect.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadEnvironmentOnly } from './invocation/inputs.ts';

export interface SpacesOptions {
  readonly passwordStdin?: boolean;
  readonly format: string;
}

/** `trove spaces [USER_ID]`: the spaces of a user with their grid sizes (interface, section 4.5). */
export async function spaces(
  context: CommandContext,
  user: string | undefined,
  { format, passwordStdin = false }: SpacesOptions,
): Promise<ExitCode> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) return refuse(context, environment.diagnostics);
  const userId = user ?? environment.value.userId;
  if (userId === undefined) {
    const hint = 'trove spaces USER_ID, or set `userId` in the environment file';
    return refuse(context, [
      error('no-user', `environment ${environment.value.name} names no user`, { hint }),
    ]);
  }
  const service = await connect(environment.value, { parallel: 1, passwordStdin }, context);
  if (!service.ok) return refuse(context, service.diagnostics);
  try {
    const outcome = await service.value.listUserSpaces(userId);
    if (outcome.kind !== 'answered') {
      const { message, hint } = renderServiceError(outcome.error, environment.value.credentials);
      return refuse(context, [error('service', message, { hint })]);
    }
    context.print(format === 'json' ? renderJson(outcome.body) : renderSpaces(userId, outcome.body));
    return exitCode.done;
  } finally {
    await service.value.close();
  }
}

function refuse(context: CommandContext, diagnostics: Parameters<CommandContext['complain']>[0]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
