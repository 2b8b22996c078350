import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseSavedPlans, type SavedPlan } from '../plan/saved-plan.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

export async function readPlanFile(
  path: string,
  context: CommandContext,
): Promise<Result<readonly SavedPlan[]>> {
  const read = await readTextFile(path, context);
  return read.ok ? parseSavedPlans(read.value, path, context.flags) : read;
}

/** The whole text of a file that should hold plans. */
export async function readTextFile(path: string, { io, flags }: CommandContext): Promise<Result<string>> {
  try {
    return success(await readFile(resolve(io.cwd, path), 'utf8'));
  } catch (cause) {
    const message = `the plan file could not be read: ${(cause as Error).message}`;
    const hint = `make one: trove plan${flags} --out FILE`;
    return failure(error('unreadable-plan-file', message, { subject: path, hint }));
  }
}
