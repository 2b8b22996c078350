import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseSavedPlans, type SavedPlan } from '../../plan/saved-plan.ts';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';

export async function readPlanFile(
  path: string,
  context: CommandContext,
): Promise<Result<readonly SavedPlan[]>> {
  const read = await readTextFile(path, context);
  return read.ok ? parseSavedPlans(read.value, path, context.flags) : read;
}

/** The whole text of a file that should hold plans or events, without the mark that some editors and shells put first. */
export async function readTextFile(path: string, { io, flags }: CommandContext): Promise<Result<string>> {
  try {
    const bytes = await readFile(resolve(io.cwd, path));
    if (isUtf16(bytes)) {
      const hint = 'write it again as UTF-8; in Windows PowerShell: ... | Out-File -Encoding utf8 FILE';
      return failure(error('not-utf8', 'the file is UTF-16, not UTF-8', { subject: path, hint }));
    }
    return success(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const message = `the file could not be read: ${(cause as Error).message}`;
    const hint = `make one: trove plan${flags} --out FILE`;
    return failure(error('unreadable-plan-file', message, { subject: path, hint }));
  }
}

/** What `>` writes in Windows PowerShell. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}
