import { resolve, sep } from 'node:path';
import { findCatalogFiles, shownPath } from '../../catalog/find.ts';
import { catalogSchema, checkCatalogFile } from '../../catalog/load.ts';
import { environmentNames, findEnvironment } from '../../environment/find.ts';
import { readEnvironment } from '../../environment/load.ts';
import { environmentSchema } from '../../environment/schema.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import type { SchemaNode } from '../../text/schema-path.ts';
import type { SourceText } from '../../text/source.ts';
import type { CommandContext } from '../invocation/context.ts';

/** A file that has one form. */
export interface FormattedFile {
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
  /** Its keys are written in the order of this. */
  readonly schema: SchemaNode;
  /** What is wrong with it as a file of its kind; it is left alone then. */
  readonly check: (source: SourceText) => Promise<readonly Diagnostic[]>;
}

interface Found {
  readonly files: readonly FormattedFile[];
  readonly problems: readonly Diagnostic[];
}

/** The catalog and environment files at or below the given paths; without any, all. */
export async function filesToFormat(
  given: readonly string[],
  { io, catalogFolder }: CommandContext,
): Promise<Found> {
  const folder = resolve(io.cwd, catalogFolder);
  const catalog = await findCatalogFiles(folder, io.cwd);
  const all = [
    ...catalog.files.map((file) => ({ ...file, schema: catalogSchema, check: catalogFileProblems })),
    ...(await environmentFiles(folder, io.cwd)),
  ];
  if (given.length === 0) return { files: all, problems: catalog.problems };
  const wanted = given.map((path) => ({ path, files: all.filter(isAt(resolve(io.cwd, path))) }));
  const strays = wanted
    .filter(({ files }) => files.length === 0)
    .map(({ path }) => stray(path, catalogFolder));
  const chosen = new Set(wanted.flatMap(({ files }) => files));
  return { files: all.filter((file) => chosen.has(file)), problems: strays };
}

async function environmentFiles(folder: string, cwd: string): Promise<readonly FormattedFile[]> {
  const names = await environmentNames(folder);
  const found = await Promise.all(
    names.map(async (name) => ({ name, found: await findEnvironment(name, folder) })),
  );
  return found.flatMap(({ name, found }) => {
    if (found.kind !== 'file') return [];
    const check = async (source: SourceText) => {
      const read = await readEnvironment(source, { name, folder, digest: '' });
      return read.ok ? [] : read.diagnostics;
    };
    return [{ path: found.path, shown: shownPath(found.path, cwd), schema: environmentSchema, check }];
  });
}

async function catalogFileProblems(source: SourceText): Promise<readonly Diagnostic[]> {
  const problems = new ProblemList();
  await checkCatalogFile(source, problems);
  return problems.all();
}

function isAt(wanted: string): (file: FormattedFile) => boolean {
  return ({ path }) => path === wanted || path.startsWith(wanted + sep);
}

function stray(path: string, catalogFolder: string): Diagnostic {
  const message = 'there is no catalog or environment file here';
  const hint = `only files of the catalog are formatted, which is ${catalogFolder}; name another with --catalog`;
  return error('not-in-catalog', message, { subject: path, hint });
}
