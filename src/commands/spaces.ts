import { renderSpaces } from '../render/command-texts.ts';
import { renderServiceError } from '../render/service-error.ts';
import { renderJson } from '../render/terminal.ts';
import { connect } from './client.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, orFail, refuse } from './exit-code.ts';

interface SpacesOptions {
  readonly passwordStdin?: boolean;
  readonly format: string;
}

/** `trove spaces [USER_ID]`: the spaces of a user with their grid sizes (interface, section 4.5). */
export async function spaces(
  context: CommandContext,
  user: string | undefined,
  { format, passwordStdin = false }: SpacesOptions,
): Promise<ExitCode> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const userId = user ?? environment.userId;
  if (userId === undefined) {
    const hint = 'trove spaces USER_ID, or set `userId` in the environment file';
    return refuse('no-user', `environment ${environment.name} names no user`, { hint });
  }
  const service = orFail(await connect(environment, { parallel: 1, passwordStdin }, context));
  try {
    const outcome = await service.listUserSpaces(userId);
    if (outcome.kind !== 'answered') {
      const { message, hint } = renderServiceError(outcome.error, environment.credentials);
      return refuse('service', message, { hint });
    }
    context.print(format === 'json' ? renderJson(outcome.body) : renderSpaces(userId, outcome.body));
    return exitCode.done;
  } finally {
    await service.close();
  }
}
