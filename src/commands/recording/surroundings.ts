import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentNames } from '../../environment/find.ts';
import { sharedTeams } from '../../environment/join-inputs.ts';
import { loadEnvironment } from '../../environment/load.ts';
import type { Environment } from '../../environment/model.ts';
import type { Surroundings } from '../../plan/guards.ts';
import { targetOf } from '../../plan/make-plan.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { newestHere } from './older-state.ts';

/** What this machine and the catalog tell about an environment beyond its state. */
export async function surroundingsOf(
  environment: Environment,
  context: CommandContext,
): Promise<Surroundings> {
  const isEmbedded = environment.service.kind === 'embedded';
  return {
    newest: await newestHere(environment, context),
    sharedTeams: await sharedBeginning(environment, context),
    ...(isEmbedded && { hasDatabase: existsSync(databaseOf(environment)) }),
  };
}

/** The database of the embedded service. */
export function databaseOf({ dataFolder }: Environment): string {
  return join(dataFolder, 'service.db');
}

/**
 * Why a state may not begin: another environment is the same team, and its records would be made a second time. One
 * whose file is not valid is nobody's business here.
 */
export async function sharedBeginning(
  environment: Environment,
  { catalogFolder, io }: CommandContext,
): Promise<readonly Diagnostic[]> {
  if (environment.service.kind === 'embedded') return [];
  const names = await environmentNames(resolve(io.cwd, catalogFolder));
  const loaded = await Promise.all(
    names.map((name) => loadEnvironment(name, { catalogFolder, cwd: io.cwd })),
  );
  const { baseUrl, teamId } = targetOf(environment);
  const same = loaded.flatMap((each) => {
    if (!each.ok) return [];
    const other = targetOf(each.value);
    return other.baseUrl === baseUrl && other.teamId === teamId ? [each.value] : [];
  });
  return sharedTeams(same);
}
