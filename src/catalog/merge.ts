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

type Section = 'attributes' | 'classifiers' | 'items';

/** A key that is declared a second time, in another file than the first. */
interface Repetition {
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
    if (wrong.size > 0 && hasStraySection(document.value)) isComplete = false;
    const content = asMapping(document.value);
    for (const section of sections) {
      const declared = asMapping(content[section]);
      for (const key in declared) {
        const fields = wrong.get(`${section}.${key}`);
        const declaration = soundPart(declared[key], fields);
        const second = {
          key,
          declaration,
          document,
          path: [section, key],
          ...(fields && { isPartial: true }),
        };
        const first = maps[section].get(key);
        if (first) repetitions.push({ section, first, second });
        else maps[section].set(key, second);
      }
    }
    const moves = Array.isArray(content.moved) ? content.moved : [];
    for (const [index, move] of moves.entries())
      if (!wrong.has(`moved.${index}`))
        moved.push({ from: move.from, to: move.to, document, path: ['moved', index] });
  }
  return { ...maps, moved, repetitions, complete: isComplete };
}

function asMapping(value: unknown): Readonly<Record<string, unknown>> {
  return isMapping(value) ? value : {};
}

/** A section that is no mapping, or has an unknown name, may be meant for one that declares something. */
function hasStraySection(value: unknown): boolean {
  if (!isMapping(value)) return true;
  return Object.entries(value).some(
    ([name, section]) => name !== 'moved' && !(sections.some((each) => each === name) && isMapping(section)),
  );
}

type Fields = ReadonlySet<string | number | undefined>;

/** Section and key (or index) of each declaration with problems to the fields that have them. */
function wrongFields(paths: readonly Path[]): ReadonlyMap<string, Fields> {
  const wrong = new Map<string, Set<string | number | undefined>>();
  for (const [section, key, field] of paths) {
    const address = `${section}.${key}`;
    wrong.set(address, (wrong.get(address) ?? new Set()).add(field));
  }
  return wrong;
}

/** A declaration without its wrong fields; empty if it is no mapping. */
function soundPart(declaration: unknown, wrong: Fields | undefined): Readonly<Record<string, unknown>> {
  if (wrong === undefined) return asMapping(declaration);
  return Object.fromEntries(Object.entries(asMapping(declaration)).filter(([field]) => !wrong.has(field)));
}
