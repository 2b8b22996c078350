import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { validate } from '../../generated/catalog.js';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { ProblemList } from '../text/problem-list.ts';
import { type ReadText, readText } from '../text/read-file.ts';
import type { SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { soundPart } from '../text/sound-part.ts';
import type { SourceText } from '../text/source.ts';
import { readYaml } from '../text/yaml.ts';
import { type CatalogFile, findCatalogFiles, shownPath } from './find.ts';
import { type CheckedFile, type Draft, mergeFiles, type OpenSections } from './merge.ts';
import type { Catalog } from './model.ts';
import { checkRules } from './rules.ts';

export const catalogSchema: SchemaNode = schema;

/** Files being read at once: enough to hide a slow disk, few enough to stay below any limit of open files. */
const AT_ONCE = 16;

/** A catalog and everything that is wrong with it, sorted by file and place. */
export interface ExaminedCatalog {
  readonly problems: readonly Diagnostic[];
  /** If there are problems, the part without them, to look for more: its declarations may lack fields. */
  readonly catalog: Catalog;
  readonly open: OpenSections;
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

/** The same, but a catalog with problems also gives its valid part. */
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
    else problems.add(() => text.problem);
    const content = text.ok ? await checkCatalogFile(text.source, problems) : undefined;
    if (content) checked.push(content);
    else complete = false;
  }

  // rules
  const draft = mergeFiles(checked, complete);
  problems.addAll(checkRules(draft));

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
    open: draft.open,
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

/**
 * What of one catalog file fits `schemas/catalog.schema.json`; undefined if it can't be read. Adds what is wrong with it
 * to `all`.
 */
export async function checkCatalogFile(
  source: SourceText,
  all: ProblemList,
): Promise<CheckedFile | undefined> {
  const { document, diagnostics } = await readYaml(source);
  all.addAll(diagnostics);
  if (document === undefined) return undefined;
  if (validate(document.value)) return { document, content: document.value };
  const errors = validate.errors ?? [];
  all.addAll(schemaProblems(document, schema, errors, diagnostics));
  return { document, content: soundPart(document.value, schema, errors).value };
}

/** The declarations of a draft without problems are whole. */
function toCatalog(draft: Draft, about: Pick<Catalog, 'folder' | 'digest' | 'fileCount'>): Catalog {
  const { attributes, classifiers, items } = draft as Pick<Catalog, 'attributes' | 'classifiers' | 'items'>;
  return { ...about, attributes, classifiers, items, moved: draft.moved };
}
