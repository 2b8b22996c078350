import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { ProblemList } from '../text/problem-list.ts';
import { type ReadText, readText } from '../text/read-file.ts';
import { readYaml } from '../text/yaml.ts';
import { type CheckedFile, collect, type Draft } from './draft.ts';
import { type CatalogFile, findCatalogFiles, shownPath } from './find.ts';
import type { Catalog } from './model.ts';
import { allRules } from './rules/all.ts';
import { catalogFileErrors } from './schema.ts';

/** Files being read at once: enough to hide a slow disk, few enough to stay below any limit of open files. */
const AT_ONCE = 16;

/** A catalog and everything that is wrong with it, sorted by file and place. */
export interface ExaminedCatalog {
  readonly problems: readonly Diagnostic[];
  /** With problems, what is not wrong of it, to look for more of them: its declarations may lack fields. */
  readonly catalog: Catalog;
  /** False: it may declare more than `catalog` has. */
  readonly isComplete: boolean;
}

/**
 * Reads the catalog in `folder` (relative to `cwd`) and gives the valid desired state, or everything that is
 * wrong with it, sorted by file and place.
 */
export async function loadCatalog(
  folder: string,
  options: { readonly cwd: string },
): Promise<Result<Catalog>> {
  const { problems, catalog } = await examineCatalog(folder, options);
  return problems.length > 0 ? failure(...problems) : success(catalog);
}

/** The same, with what is sound of a catalog that is not. */
export async function examineCatalog(
  folder: string,
  options: { readonly cwd: string },
): Promise<ExaminedCatalog> {
  const root = resolve(options.cwd, folder);
  const problems = new ProblemList();

  // find
  const found = await findCatalogFiles(root, options.cwd);
  problems.addAll(found.problems);

  // read, parse, schema
  const hash = createHash('sha256');
  const checked: CheckedFile[] = [];
  let complete = found.problems.length === 0;
  for await (const { file, text } of readInOrder(found.files)) {
    if (text.ok) hash.update(`${file.name}\0${text.bytes.length}\0`).update(text.bytes);
    const document = await checkFile(text, problems);
    if (document) checked.push(document);
    else complete = false;
  }

  // rules
  const draft = collect(checked, complete);
  for (const rule of allRules) problems.addAll(rule(draft));

  // resolve
  const about = {
    folder: shownPath(root, options.cwd),
    digest: `sha256:${hash.digest('hex')}`,
    fileCount: found.files.length,
  };
  const isSound = problems.count === 0;
  return {
    problems: problems.sort().all(),
    catalog: toCatalog(isSound ? draft : { ...draft, moved: [] }, about),
    isComplete: draft.complete,
  };
}

async function* readInOrder(
  files: readonly CatalogFile[],
): AsyncGenerator<{ file: CatalogFile; text: ReadText }> {
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const batch = files.slice(start, start + AT_ONCE);
    const texts = batch.map(async (file) => ({ file, text: await readText(file.path, file.shown) }));
    for (const text of await Promise.all(texts)) yield text;
  }
}

async function checkFile(text: ReadText, all: ProblemList): Promise<CheckedFile | undefined> {
  if (!text.ok) {
    all.add(() => text.problem);
    return undefined;
  }
  const { document, diagnostics: found } = await readYaml(text.source);
  all.addAll(found);
  if (document === undefined) return undefined;
  const { problems, wrong } = catalogFileErrors(document, found);
  for (const { describe } of problems) all.add(describe);
  return { document, wrong };
}

/** Nothing was left out of the declarations of a draft without a problem. */
function toCatalog(draft: Draft, about: Pick<Catalog, 'folder' | 'digest' | 'fileCount'>): Catalog {
  const { attributes, classifiers, items } = draft as Pick<Catalog, 'attributes' | 'classifiers' | 'items'>;
  const moved = draft.moved.map(({ from, to, document, path }) => ({
    from,
    to,
    location: document.locate(path),
  }));
  return { ...about, attributes, classifiers, items, moved };
}
