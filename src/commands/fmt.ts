import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  type FormattingChange,
  renderFormattingDiff,
  renderFormattingSummary,
} from '../render/command-texts.ts';
import { escapeTerminal } from '../render/terminal.ts';
import { atomicWrite, followLinks } from '../state/file/atomic-write.ts';
import { reasonOf } from '../state/file/io-failure.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { formatYaml } from '../text/format-yaml.ts';
import { countOf, sortDiagnostics } from '../text/problem-list.ts';
import { readText } from '../text/read-file.ts';
import { type FormattedFile, filesToFormat } from './fmt/files.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';

interface Outcome {
  /** Undefined where the file has its form already. */
  readonly change?: FormattingChange;
  readonly problems: readonly Diagnostic[];
}

/**
 * `trove fmt`: gives files their one form. A file with problems is left alone, and they are told; the others are
 * written whether or not there is one. Exit code 1 for problems, and for changes with `--check`.
 */
export async function fmt(
  context: CommandContext,
  paths: readonly string[],
  { check = false }: { readonly check?: boolean },
): Promise<ExitCode> {
  const { files, problems } = await filesToFormat(paths, context);
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push(await formatOne(file, check));
  const all = sortDiagnostics([...problems, ...outcomes.flatMap((outcome) => outcome.problems)]);
  const errors = all.filter(({ severity }) => severity === 'error');
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  if (check) context.print(renderFormattingDiff(changes, context.color.stdout));
  else context.print(changes.map(({ shown }) => `${escapeTerminal(shown)}\n`).join(''));
  context.complain(all);
  context.note(
    renderFormattingSummary({
      files: files.length,
      changed: changes.length,
      problems: countOf(errors),
      check,
      flags: context.flags,
    }),
  );
  return errors.length > 0 || (check && changes.length > 0) ? exitCode.error : exitCode.done;
}

async function formatOne({ path, shown, schema, check }: FormattedFile, dry: boolean): Promise<Outcome> {
  const read = await readText(path, shown);
  // The line of an environment's file that is not UTF-8 may hold a secret.
  if (!read.ok) return { problems: [{ ...read.problem, concealed: true }] };
  const problems = await check(read.source);
  if (problems.length > 0) return { problems };
  const before = read.source.text;
  const after = formatYaml(before, schema);
  if (after === undefined) return { problems: [notFormatted(shown)] };
  if (after === before) return { problems: [] };
  const failed = dry ? undefined : await replace(path, shown, after);
  return failed ? { problems: [failed] } : { change: { shown, before, after }, problems: [] };
}

function notFormatted(shown: string): Diagnostic {
  const message = 'this file is left as it is: its form could not be changed without changing what it means';
  const hint =
    'most often an anchor is used above its place in the order of keys, or a comment stands in brackets';
  return { severity: 'warning', rule: 'not-formatted', message, subject: shown, hint };
}

async function replace(path: string, shown: string, text: string): Promise<Diagnostic | undefined> {
  try {
    const target = await followLinks(path);
    const { mode } = await stat(target);
    await atomicWrite(target, text, randomUUID(), mode & 0o777);
    return undefined;
  } catch (cause) {
    const hint = 'it is as it was; put that right and run the command again';
    return error('unwritable-file', `the file could not be written: ${reasonOf(cause)}`, {
      subject: shown,
      hint,
    });
  }
}
