import { resolve } from 'node:path';
import { parseSavedPlans, type SavedPlan } from '../../plan/saved-plan.ts';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';
import { MAX_WRITTEN_BYTES, readRegularFile, unreadable } from '../../text/read-file.ts';
import type { CommandContext } from '../invocation/context.ts';
import { workingFolder } from '../output/inside-catalog.ts';

export async function readPlanFile(
  path: string,
  context: CommandContext,
): Promise<Result<readonly SavedPlan[]>> {
  const read = await readTextFile(path, context);
  return read.ok ? parseSavedPlans(read.value, path, context.flags) : read;
}

/** The whole text of a file that should hold plans or events, without the mark that some editors and shells put first. */
export async function readTextFile(path: string, { io, flags }: CommandContext): Promise<Result<string>> {
  const hint = `make one: trove plan${flags} --out FILE`;
  const options = { shown: path, maxBytes: MAX_WRITTEN_BYTES, within: workingFolder(io) };
  const read = await readRegularFile(resolve(io.cwd, path), options).catch((cause: Error) => cause);
  if (read instanceof Error) return failure({ ...unreadable(path, read), hint });
  if (read.kind === 'absent') return failure({ ...unreadable(path, { code: 'ENOENT' }), hint });
  if (read.kind === 'refused') return failure(read.problem);
  const { bytes } = read;
  if (isUtf16(bytes)) {
    const again = 'write it again as UTF-8; in Windows PowerShell: ... | Out-File -Encoding utf8 FILE';
    return failure(error('not-utf8', 'the file is UTF-16, not UTF-8', { subject: path, hint: again }));
  }
  return success(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

/** What `>` writes in Windows PowerShell. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}
