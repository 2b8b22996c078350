import { appendFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { withReader } from './with-reader.ts';

/** GitHub drops the whole summary of a step that is larger. */
const LARGEST_BYTES = 1024 * 1024;

/** Adds Markdown to the summary of the running step, where there is one; what does not fit any more is left out. */
export async function appendStepSummary(markdown: string, context: CommandContext): Promise<Result<void>> {
  const path = context.io.env.GITHUB_STEP_SUMMARY;
  if (!path) return success(undefined);
  const file = resolve(context.io.cwd, path);
  try {
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size + Buffer.byteLength(markdown) + 2 > LARGEST_BYTES) {
      context.note('The summary of this step is full (1 MiB), so nothing was added to it.\n');
    } else await withReader(file, () => appendFile(file, `${size > 0 ? '\n' : ''}${markdown}`));
    return success(undefined);
  } catch (cause) {
    const message = `the summary of the step could not be written: ${(cause as Error).message}`;
    return failure(error('unwritable-file', message, { subject: 'GITHUB_STEP_SUMMARY' }));
  }
}
