import { resolve, sep } from 'node:path';
import { findCatalogFiles, shownPath } from '../catalog/find.ts';
import { catalogSchema, checkCatalogFile } from '../catalog/load.ts';
import { environmentNames, findEnvironment } from '../environment/find.ts';
import { environmentSchema, readEnvironment } from '../environment/load.ts';
import {
  type FormattingChange,
  renderFormattingDiff,
  renderFormattingSummary,
} from '../render/command-texts.ts';
import { escapeTerminal } from '../render/terminal.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { formatYaml } from '../text/edit-yaml.ts';
import { countOf, ProblemList, sortDiagnostics } from '../text/problem-list.ts';
import { readText } from '../text/read-file.ts';
import type { SchemaNode } from '../text/schema-path.ts';
import type { SourceText } from '../text/source.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { overwriteFile, unwritable } from './outputs.ts';

interface Outcome {
  /** Undefined where the file has its form already. */
  readonly change?: FormattingChange;
  readonly problems: readonly Diagnostic[];
}

/**
 * `trove fmt`: gives files their one form. A file with problems is left alone, and they are reported; the others are
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
  context.reportErrors(all);
  const counts = { files: files.length, changed: changes.length, problems: countOf(errors) };
  context.note(renderFormattingSummary({ ...counts, check, flags: context.flags }));
  return errors.length > 0 || (check && changes.length > 0) ? exitCode.error : exitCode.done;
}

async function formatOne({ path, shown, schema, check }: FormattedFile, dry: boolean): Promise<Outcome> {
  const read = await readText(path, shown);
  // The line of an environment's file that is not UTF-8 may hold a secret.
  if (!read.ok) return { problems: [{ ...read.problem, concealed: 'excerpt' }] };
  const problems = await check(read.source);
  if (problems.length > 0) return { problems };
  const before = read.source.text;
  const after = formatYaml(before, schema);
  if (after === undefined)
    return { problems: [{ ...error('not-formatted', {}, { subject: shown }), severity: 'warning' }] };
  if (after === before) return { problems: [] };
  try {
    if (!dry) await overwriteFile(path, after);
    return { change: { shown, before, after }, problems: [] };
  } catch (cause) {
    return { problems: [unwritable(shown, cause)] };
  }
}

interface FormattedFile {
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
  /** Its keys are written in the order of this. */
  readonly schema: SchemaNode;
  /** What is wrong with it as a file of its kind; it is left alone then. */
  readonly check: (source: SourceText) => Promise<readonly Diagnostic[]>;
}

/** The catalog and environment files at or below the given paths; without any, all. */
async function filesToFormat(given: readonly string[], context: CommandContext) {
  const { io, catalogPath: folder } = context;
  const catalog = await findCatalogFiles(folder, io.cwd);
  const all = [
    ...catalog.files.map((file) => ({ ...file, schema: catalogSchema, check: catalogFileProblems })),
    ...(await environmentFiles(folder, io.cwd)),
  ];
  if (given.length === 0) return { files: all, problems: catalog.problems };
  const wanted = given.map((path) => {
    const at = resolve(io.cwd, path);
    return { path, files: all.filter((file) => file.path === at || file.path.startsWith(at + sep)) };
  });
  const strays = wanted
    .filter(({ files }) => files.length === 0)
    .map(({ path }) => error('not-in-catalog', { catalog: shownPath(folder, io.cwd) }, { subject: path }));
  const chosen = new Set(wanted.flatMap(({ files }) => files));
  return { files: all.filter((file) => chosen.has(file)), problems: strays };
}

async function environmentFiles(folder: string, cwd: string): Promise<readonly FormattedFile[]> {
  const files: FormattedFile[] = [];
  for (const name of await environmentNames(folder)) {
    const found = await findEnvironment(name, folder, cwd);
    if (!found.ok || found.value === undefined) continue;
    const path = found.value;
    const check = async (source: SourceText) => {
      const read = await readEnvironment(source, { name, folder, digest: '' });
      return read.ok ? [] : read.diagnostics;
    };
    files.push({ path, shown: shownPath(path, cwd), schema: environmentSchema, check });
  }
  return files;
}

async function catalogFileProblems(source: SourceText): Promise<readonly Diagnostic[]> {
  const problems = new ProblemList();
  await checkCatalogFile(source, problems);
  return problems.all();
}
