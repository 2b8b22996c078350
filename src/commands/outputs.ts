import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';

export type Format = 'text' | 'json' | 'html';

/** One `--format`: what to write, and where; without a file it goes to stdout. */
export interface Output {
  readonly format: Format;
  readonly file?: string;
}

/** Reads `text`, `json`, `json=FILE` or `html=FILE`. At most one of them may go to stdout, and no page does. */
export function parseOutputs(values: readonly string[] = []): Result<readonly Output[]> {
  const outputs: Output[] = [];
  for (const value of values.length > 0 ? values : ['text']) {
    const at = value.indexOf('=');
    const format = at === -1 ? value : value.slice(0, at);
    if (format !== 'text' && format !== 'json' && format !== 'html') {
      const hint = 'use --format text, --format json, --format json=FILE or --format html=FILE';
      return failure(error('unknown-format', `there is no format \`${format}\``, { hint }));
    }
    if (format === 'html' && (at === -1 || at === value.length - 1)) {
      const hint = 'name it: --format html=plan.html';
      return failure(error('page-without-file', 'a page is written to a file', { hint }));
    }
    outputs.push(at === -1 ? { format } : { format, file: value.slice(at + 1) });
  }
  if (outputs.filter(({ file }) => file === undefined).length <= 1) return success(outputs);
  const hint = 'give the others a file: --format json=FILE';
  return failure(error('formats-collide', 'only one format can go to standard output', { hint }));
}

/** Writes each output in its format; `render` is told whether colour is wanted. */
export async function writeOutputs(
  outputs: readonly Output[],
  render: Readonly<Record<Format, (color: boolean) => string>>,
  context: CommandContext,
): Promise<Result<void>> {
  for (const { format, file } of outputs) {
    if (file === undefined) context.print(render[format](context.color.stdout));
    else {
      const written = await writeTextFile(file, render[format](false), context);
      if (!written.ok) return written;
    }
  }
  return success(undefined);
}

/** Refuses the folder of the catalog, where it might overwrite a state, a catalog file or an environment. */
export async function writeTextFile(
  path: string,
  text: string,
  { io, catalogFolder }: CommandContext,
): Promise<Result<void>> {
  const target = resolve(io.cwd, path);
  if (!relative(resolve(io.cwd, catalogFolder), target).startsWith('..')) {
    const hint = 'name a file outside of it';
    return failure(
      error('output-in-catalog', 'outputs are not written into the catalog', { subject: path, hint }),
    );
  }
  try {
    await writeFile(target, text);
    return success(undefined);
  } catch (cause) {
    const message = `the file could not be written: ${(cause as Error).message}`;
    return failure(error('unwritable-file', message, { subject: path }));
  }
}
