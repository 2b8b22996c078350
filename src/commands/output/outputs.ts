import { writeFile } from 'node:fs/promises';
import { normalize, resolve } from 'node:path';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { isBelow } from '../../text/read-file.ts';
import type { CommandContext } from '../invocation/context.ts';
import { appendStepSummary } from './step-summary.ts';
import { withReader } from './with-reader.ts';

/** What a command can write of `T`, by the name of the format; `color` says whether colour is wanted. */
export type Formats<T> = Readonly<Record<string, (subject: T, color: boolean) => string>>;

/** One `--format`: what to write, and where; without a file it goes to stdout. */
export interface Output {
  readonly format: string;
  readonly file?: string;
}

/**
 * Reads FORMAT or FORMAT=FILE, for the formats of a command; `-` is stdout, to which at most one may go. `also` is
 * another file that the command writes.
 */
export function parseOutputs(
  values: readonly string[] | undefined,
  formats: Formats<never>,
  also?: string,
): Result<readonly Output[]> {
  const outputs = (values ?? ['text']).map(outputOf);
  const stranger = outputs.find(({ format }) => !Object.hasOwn(formats, format));
  if (stranger) {
    const meant = nearest(stranger.format, Object.keys(formats));
    const hint = `${meant ? `did you mean ${meant}? ` : ''}use ${Object.keys(formats).join(', ')}, or --format ${Object.keys(formats).at(-1)}=FILE and its like`;
    return failure(error('unknown-format', `there is no format \`${stranger.format}\` here`, { hint }));
  }
  const page = outputs.find(({ format, file }) => format === 'html' && !file);
  if (page) {
    const hint = 'name it: --format html=plan.html';
    return failure(error('page-without-file', 'a page is written to a file', { hint }));
  }
  const clash = collision(outputs, also);
  return clash ? failure(clash) : success(outputs);
}

function outputOf(value: string): Output {
  const at = value.indexOf('=');
  if (at === -1) return { format: value };
  const [format, file] = [value.slice(0, at), value.slice(at + 1)];
  return file === '-' ? { format } : { format, file };
}

/** Of two outputs to one place only the later would be left. */
function collision(outputs: readonly Output[], also: string | undefined): Diagnostic | undefined {
  const nowhere = outputs.find(({ file }) => file === '');
  if (nowhere) {
    const hint = `name one: --format ${nowhere.format}=FILE; or leave the = out for standard output`;
    return error('output-without-file', `--format ${nowhere.format}= names no file`, { hint });
  }
  const [, second] = outputs.filter(({ file }) => file === undefined);
  if (second) {
    const hint = `give the others a file: --format ${second.format}=FILE`;
    return error('formats-collide', 'only one format can go to standard output', { hint });
  }
  const files = [...outputs.map(({ file }) => file), also].flatMap((file) => (file ? [normalize(file)] : []));
  const twice = files.find((file, at) => files.indexOf(file) < at);
  if (twice === undefined) return undefined;
  const hint = 'give each its own file';
  return error('formats-collide', 'two outputs would go to one file', { subject: twice, hint });
}

/** Writes each output in its format. What is for GitHub goes into the summary of the step too, as Markdown. */
export async function writeOutputs<T>(
  outputs: readonly Output[],
  formats: Formats<T>,
  subject: T,
  context: CommandContext,
): Promise<Result<void>> {
  for (const { format, file } of outputs) {
    const text = formats[format]?.(subject, file === undefined && context.color.stdout) ?? '';
    if (file === undefined) context.print(text);
    else {
      const written = await writeTextFile(file, text, context);
      if (!written.ok) return written;
    }
  }
  const summary = outputs.some(({ format }) => format === 'github') && formats.markdown?.(subject, false);
  return summary ? appendStepSummary(summary, context) : success(undefined);
}

/** Refuses the folder of the catalog, where it might overwrite a state, a catalog file or an environment. */
export async function writeTextFile(
  path: string,
  text: string,
  { io, catalogFolder }: CommandContext,
): Promise<Result<void>> {
  const target = resolve(io.cwd, path);
  if (await isBelow(resolve(io.cwd, catalogFolder), target)) {
    const hint = 'name a file outside of it';
    return failure(
      error('output-in-catalog', 'outputs are not written into the catalog', { subject: path, hint }),
    );
  }
  try {
    await withReader(target, () => writeFile(target, text));
    return success(undefined);
  } catch (cause) {
    const message = `the file could not be written: ${(cause as Error).message}`;
    return failure(error('unwritable-file', message, { subject: path }));
  }
}
