import { nearest } from '../text/nearest.ts';
import { isMapping, valueAt } from '../text/schema-path.ts';
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

export type Section = 'attributes' | 'classifiers' | 'items';

/** Sections that may declare more than could be read. */
export type OpenSections = ReadonlySet<Section>;

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
  readonly open: OpenSections;
}

export const sections: readonly Section[] = ['attributes', 'classifiers', 'items'];

/** The declarations of all files, in file order. The first declaration of a key counts. `complete`: all could be read. */
export function mergeFiles(files: readonly CheckedFile[], complete: boolean): Draft {
  const maps = { attributes: new Map(), classifiers: new Map(), items: new Map() };
  const repetitions: Repetition[] = [];
  const moved: Move[] = [];
  const open = new Set(complete ? [] : sections);
  for (const { document, content } of files) {
    for (const section of meantIn({ document, content })) open.add(section);
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
  return { ...maps, moved, repetitions, open };
}

/** Of what is no declaration. */
const nothingKnown = { attributes: undefined };

function asMapping(value: unknown): Readonly<Record<string, unknown>> {
  return isMapping(value) ? value : {};
}

/**
 * The sections that what is wrong in a file may be meant for: the one that has its name or resembles it most. What
 * resembles none may be any, if it could be one at all.
 */
function meantIn({ document, content }: CheckedFile): readonly Section[] {
  if (!isMapping(content)) return sections;
  return Object.keys(content)
    .filter((name) => content[name] === undefined)
    .flatMap((name) => {
      const meant = nearest(name, [...sections, 'moved']);
      if (meant !== undefined) return sections.filter((section) => section === meant);
      return isMapping(valueAt(document.value, [name])) ? sections : [];
    });
}
