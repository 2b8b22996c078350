import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseSavedPlans, type SavedPlan } from '../plan/saved-plan.ts';
import { error, failure, type Result } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

export async function readPlanFile(
  path: string,
  { io, flags }: CommandContext,
): Promise<Result<readonly SavedPlan[]>> {
  try {
    return parseSavedPlans(await readFile(resolve(io.cwd, path), 'utf8'), path, flags);
  } catch (cause) {
    const message = `the plan file could not be read: ${(cause as Error).message}`;
    const hint = `make one: trove plan${flags} --out FILE`;
    return failure(error('unreadable-plan-file', message, { subject: path, hint }));
  }
}
