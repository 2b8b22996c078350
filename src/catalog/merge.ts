import { isMapping } from '../text/schema-path.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type {
  AttributeDeclaration,
  ClassifierDeclaration,
  Declared,
  ItemDeclaration,
  Move,
} from './model.ts';

/** One parsed file. */
export interface CheckedFile {
  readonly document: YamlDocument;
  /** Its value, with undefined for what does not fit the schema. */
  readonly content: unknown;
}

type Section = 'attributes' | 'classifiers' | 'items';

/** A key that is declared a second time, in another file than the first. */
interface Repetition {
  readonly section: Section;
  readonly first: Declared<unknown>;
  readonly second: Declared<unknown>;
}

/**
 * Everything that the files declare, before the rules. What does not fit the schema is undefined, so that the
 * rules can still look at the rest.
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
  for (const { document, content } of files) {
    if (hasStraySection(content)) isComplete = false;
    const { moved: moves, ...declarations } = asMapping(content);
    for (const section of sections) {
      const declared = asMapping(declarations[section]);
      for (const key in declared) {
        const declaration = isMapping(declared[key]) ? declared[key] : nothingKnown;
        const second = { key, declaration, document, path: [section, key] };
        const first = maps[section].get(key);
        if (first) repetitions.push({ section, first, second });
        else maps[section].set(key, second);
      }
    }
    for (const [index, move] of (Array.isArray(moves) ? moves : []).entries())
      if (move?.from !== undefined && move.to !== undefined)
        moved.push({ from: move.from, to: move.to, document, path: ['moved', index] });
  }
  return { ...maps, moved, repetitions, complete: isComplete };
}

/** Of what is no declaration. */
const nothingKnown = { attributes: undefined };

function asMapping(value: unknown): Readonly<Record<string, unknown>> {
  return isMapping(value) ? value : {};
}

/** A section that is no mapping, or has an unknown name, may be meant for one that declares something. */
function hasStraySection(content: unknown): boolean {
  if (!isMapping(content)) return true;
  return Object.entries(content).some(([name, section]) => name !== 'moved' && section === undefined);
}
