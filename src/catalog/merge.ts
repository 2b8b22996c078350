import { isMapping, type Path } from '../text/schema-path.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type {
  AttributeDeclaration,
  ClassifierDeclaration,
  Declared,
  ItemDeclaration,
  Move,
} from './model.ts';

/** One parsed file with the paths of what does not fit the schema. */
export interface CheckedFile {
  readonly document: YamlDocument;
  readonly wrong: readonly Path[];
}

export type Section = 'attributes' | 'classifiers' | 'items';

/** A key that is declared a second time, in another file than the first. */
export interface Repetition {
  readonly section: Section;
  readonly first: Declared<unknown>;
  readonly second: Declared<unknown>;
}

/**
 * Everything that the files declare, before the rules. Fields that do not fit the schema are left out, so that
 * the rules can still look at the others.
 */
export interface Draft {
  readonly attributes: ReadonlyMap<string, Declared<Partial<AttributeDeclaration>>>;
  readonly classifiers: ReadonlyMap<string, Declared<Partial<ClassifierDeclaration>>>;
  readonly items: ReadonlyMap<string, Declared<Partial<ItemDeclaration>>>;
  readonly moved: readonly Move[];
  readonly repetitions: readonly Repetition[];
  /** False if a file or a section could not be read: it may declare what is missing. */
  readonly complete: boolean;
}

const sections = ['attributes', 'classifiers', 'items'] as const;

/** The declarations of all files, in file order. The first declaration of a key counts. */
export function mergeFiles(files: readonly CheckedFile[], complete: boolean): Draft {
  const maps = { attributes: new Map(), classifiers: new Map(), items: new Map() };
  const repetitions: Repetition[] = [];
  const moved: Move[] = [];
  let isComplete = complete;
  for (const { document, wrong: paths } of files) {
    const wrong = wrongFields(paths);
    if (wrong && hasStraySection(document.value)) isComplete = false;
    for (const section of sections) {
      const declared = mappingAt(document.value, section);
      for (const key in declared) {
        const fields = wrong?.get(`${section}.${key}`);
        const found = {
          key,
          declaration: soundPart(declared[key], fields),
          document,
          path: [section, key],
          ...(fields && { wrong: fields }),
        };
        const first = maps[section].get(key);
        if (first) repetitions.push({ section, first, second: found });
        else maps[section].set(key, found);
      }
    }
    moved.push(...movesOf(document, wrong));
  }
  return { ...maps, moved, repetitions, complete: isComplete };
}

/** A section that is no mapping, or has an unknown name, may be meant for one that declares something. */
function hasStraySection(value: unknown): boolean {
  if (!isMapping(value)) return true;
  return Object.entries(value).some(
    ([name, section]) => name !== 'moved' && !(sections.some((each) => each === name) && isMapping(section)),
  );
}

type WrongFields = ReadonlyMap<string, ReadonlySet<string | number | undefined>>;

/** Section and key (or index) of each declaration with problems to the fields that have them. */
function wrongFields(paths: readonly Path[]): WrongFields | undefined {
  if (paths.length === 0) return undefined;
  const wrong = new Map<string, Set<string | number | undefined>>();
  for (const path of paths) {
    const address = `${path[0]}.${path[1]}`;
    const fields = wrong.get(address) ?? new Set();
    wrong.set(address, fields.add(path[2]));
  }
  return wrong;
}

/** A declaration without its wrong fields; empty if it is no mapping. */
function soundPart(
  declaration: unknown,
  wrong: ReadonlySet<string | number | undefined> | undefined,
): Readonly<Record<string, unknown>> {
  if (!isMapping(declaration)) return {};
  if (wrong === undefined) return declaration;
  return Object.fromEntries(Object.entries(declaration).filter(([field]) => !wrong.has(field)));
}

function mappingAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const found = isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isMapping(found) ? found : {};
}

function movesOf(document: YamlDocument, wrong: WrongFields | undefined): Move[] {
  const { value } = document;
  const moves: unknown = isMapping(value) && Object.hasOwn(value, 'moved') ? value.moved : [];
  if (!Array.isArray(moves)) return [];
  return moves.flatMap((move, index) => {
    if (wrong?.has(`moved.${index}`)) return [];
    return [{ from: move.from, to: move.to, document, path: ['moved', index] }];
  });
}
