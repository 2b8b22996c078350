import { constants } from 'node:fs';
import { appendFile, open, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { fullSummaryText, writtenText } from '../render/command-texts.ts';
import type { RepositoryPath } from '../render/diagnostic-reports.ts';
import { atDefaultWidth } from '../render/terminal.ts';
import { atomicWrite, createFile, followLinks, makeFolder, syncFolder } from '../state/file/disk.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { isBelow, linkOutside, systemCause } from '../text/read-file.ts';
import { type CommandContext, type Io, workingFolder } from './context.ts';
import { fail, refuse } from './exit-code.ts';

/** What a command can write of `T`, by the name of the format; `color` says whether color is wanted. */
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
): readonly Output[] {
  const outputs = (values ?? ['text']).map(outputOf);
  const known = Object.keys(formats);
  const stranger = outputs.find(({ format }) => !known.includes(format));
  if (stranger) refuse('unknown-format', { format: stranger.format, known });
  if (outputs.some(({ format, file }) => format === 'html' && !file)) refuse('page-without-file', {});
  refuseCollision(outputs, also);
  return outputs;
}

function outputOf(value: string): Output {
  const [format = '', ...file] = value.split('=');
  return file.length === 0 || file.join('=') === '-' ? { format } : { format, file: file.join('=') };
}

/** Of two outputs to one place only the later would be left. */
function refuseCollision(outputs: readonly Output[], also: string | undefined): void {
  const nowhere = outputs.find(({ file }) => file === '');
  if (nowhere) refuse('output-without-file', { format: nowhere.format });
  const [, second] = outputs.filter(({ file }) => file === undefined);
  if (second) refuse('formats-collide', { why: 'standard-output', format: second.format });
  const files = [...outputs.map(({ file }) => file), also].flatMap((file) => (file ? [normalize(file)] : []));
  const subject = files.find((file, at) => files.indexOf(file) < at);
  if (subject !== undefined) refuse('formats-collide', { why: 'one-file' }, { subject });
}

/** Writes each output in its format, and gives what is in the way of the first that can't be. What is for GitHub goes into the summary of the step too, as Markdown. */
export async function writeOutputs<T>(
  outputs: readonly Output[],
  formats: Formats<T>,
  subject: T,
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  for (const { format, file } of outputs) {
    const render = (color: boolean) => formats[format]?.(subject, color) ?? '';
    const text = file === undefined ? render(context.color.stdout) : atDefaultWidth(() => render(false));
    if (file === undefined) context.print(text);
    const problems = file === undefined ? [] : await writeTextFile(file, text, context);
    if (problems.length > 0) return problems;
    if (file !== undefined) context.note(writtenText(file));
  }
  const summary = outputs.some(({ format }) => format === 'github') && formats.markdown?.(subject, false);
  return summary ? appendStepSummary(summary, context) : [];
}

/** Refuses the folder of the catalog, where it might overwrite a state, a catalog file or an environment. */
export async function writeTextFile(
  path: string,
  text: string,
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  const { cwd } = context.io;
  const target = resolve(cwd, path);
  const inside = (folder: 'catalog' | '.git') => [error('output-in-catalog', { folder }, { subject: path })];
  if (await isBelow(context.catalogPath, target)) return inside('catalog');
  // A link in a commit may lead to the settings and hooks of git.
  if (await isBelow(join(cwd, '.git'), target)) return inside('.git');
  const stray = await linkOutside(target, path, workingFolder(context.io));
  if (stray) return [stray];
  return written('output', path, () => withReader(target, () => writeFile(target, text)));
}

/** GitHub drops the whole summary of a step that is larger. */
const LARGEST_BYTES = 1024 * 1024;

/** Adds Markdown to the summary of the running step, where there is one; what does not fit any more is left out. */
export async function appendStepSummary(
  markdown: string,
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  const path = context.io.env.GITHUB_STEP_SUMMARY;
  if (!path) return [];
  const file = resolve(context.io.cwd, path);
  return written('step-summary', 'GITHUB_STEP_SUMMARY', async () => {
    const size = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (size + Buffer.byteLength(markdown) + 2 > LARGEST_BYTES) context.note(fullSummaryText);
    else await withReader(file, () => appendFile(file, `${size > 0 ? '\n' : ''}${markdown}`));
  });
}

async function written(
  what: 'output' | 'step-summary',
  subject: string,
  write: () => Promise<void>,
): Promise<readonly Diagnostic[]> {
  try {
    await write();
    return [];
  } catch (cause) {
    const { code, message: said } = cause as NodeJS.ErrnoException;
    return [error('unwritable-file', { what, code, said }, { subject })];
  }
}

/** Replaces a file that Trove keeps in its form, whole or not at all; through links, with its mode. Throws what the system says. */
export async function overwriteFile(path: string, text: string): Promise<void> {
  const target = await followLinks(path);
  const { mode } = await stat(target);
  await atomicWrite(target, text, mode & 0o777);
}

/** Writes a file that must not exist yet, whole or not at all, and makes the folders above it; false if one is there. */
export async function writeNewFile(path: string, text: string, shown: string): Promise<boolean> {
  try {
    await makeFolder(dirname(path));
    const isNew = await createFile(path, text, 0o666);
    await syncFolder(dirname(path));
    // The system says what is in the way.
    if (!isNew && !(await stat(path)).isFile()) await writeFile(path, text, { flag: 'wx' });
    return isNew;
  } catch (cause) {
    return fail([unwritable(shown, cause)]);
  }
}

/** The problem of a file that the system did not let us write. Anything else is our bug and is thrown again. */
export function unwritable(shown: string, cause: unknown): Diagnostic {
  return error('unwritable-file', { what: 'file', ...systemCause(cause) }, { subject: shown });
}

/** Lets `write` open the file, which would wait forever at a named pipe without a reader: that is thrown. */
async function withReader(path: string, write: () => Promise<void>): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK);
  try {
    await write();
  } finally {
    await file.close();
  }
}

/** Paths of files as a pipeline names them: from the root of the checkout, if CI names it, or else from the working folder. */
export function repositoryPath({ env, cwd }: Io): RepositoryPath {
  const root = env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR || cwd;
  return (path) => {
    const inside = relative(root, resolve(cwd, path));
    const isOutside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    return isOutside ? undefined : inside.replaceAll('\\', '/');
  };
}
