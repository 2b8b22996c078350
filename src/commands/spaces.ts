import { renderSpaces } from '../render/command-texts.ts';
import { renderJson } from '../render/terminal.ts';
import { readSpaces, withService } from './client.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { orFail, refuse } from './exit-code.ts';

interface SpacesOptions {
  readonly passwordStdin?: boolean;
  readonly format: string;
}

/** `trove spaces [USER_ID]`: the spaces of a user with their grid sizes (interface, section 4.5). */
export async function spaces(
  context: CommandContext,
  user: string | undefined,
  { format, passwordStdin = false }: SpacesOptions,
): Promise<void> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const userId = user ?? environment.userId;
  if (userId === undefined) return refuse('no-user', { environment: environment.name });
  const links = await withService(environment, { parallel: 1, passwordStdin }, context, (service) =>
    readSpaces(service, environment, userId),
  );
  context.print(format === 'json' ? renderJson(links) : renderSpaces(userId, links));
}
