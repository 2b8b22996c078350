import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { ProblemList, problemsIn } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import type { Location } from '../text/source.ts';
import type { Draft, Rule } from './merge.ts';
import {
  type Catalog,
  type Declared,
  type ItemDeclaration,
  isReservedKey,
  keyOf,
  PROBE_KEY,
} from './model.ts';
import { moves } from './moves.ts';
import { placeholders } from './template.ts';

/**
 * What a catalog that was changed after it was loaded violates. `whole` is the catalog before resources were left
 * out: their names are still declared.
 */
export function brokenRules(catalog: Catalog, whole: Catalog, complete: boolean): readonly Diagnostic[] {
  const classifiers = new Map([...whole.classifiers, ...catalog.classifiers]);
  return checkRules({ ...catalog, classifiers, moved: [], repetitions: [], complete });
}

/** Everything that a catalog must be beyond its schema. */
export function checkRules(draft: Draft): readonly Diagnostic[] {
  return allRules.flatMap((rule) => rule(draft));
}

/** No key is declared twice, in whichever files (within one mapping the YAML reader reports it). */
const uniqueKeys: Rule = ({ repetitions }) =>
  problemsIn(repetitions, ({ section, first, second }) => () => {
    const related = [{ message: 'first declared here', location: first.document.locate(first.path, 'key') }];
    const location = second.document.locate(second.path, 'key');
    return error('duplicate-key', `the ${nouns[section]} ${quoted(second.key)} is declared twice`, {
      location,
      related,
    });
  });

const nouns = { attributes: 'attribute', classifiers: 'classifier', items: 'item' } as const;

/** The classifiers, options and attributes that items name are declared. */
const references: Rule = (draft) => {
  const found = new ProblemList();
  for (const item of draft.items.values()) {
    checkClassifiers(draft, item, found);
    checkAttributes(draft, item, found);
  }
  return found.all();
};

function checkClassifiers(draft: Draft, item: Declared<Partial<ItemDeclaration>>, found: ProblemList): void {
  const given = item.declaration.classifiers;
  for (const key in given) {
    const classifier = draft.classifiers.get(key);
    if (!classifier) {
      if (!draft.complete) continue;
      const message = `classifier ${quoted(key)} is not declared`;
      found.add(() =>
        unknown(item, ['classifiers', key], message, declaredHint(key, draft.classifiers.keys())),
      );
      continue;
    }
    const { options } = classifier.declaration;
    const value = given[key];
    if (options === undefined || value === undefined) continue;
    for (const [index, option] of (typeof value === 'string' ? [value] : value).entries()) {
      if (Object.hasOwn(options, option)) continue;
      const path = ['classifiers', key, ...(typeof value === 'string' ? [] : [index])];
      const message = `option ${quoted(option)} is not declared in classifier ${quoted(key)}`;
      found.add(() => unknown(item, path, message, declaredHint(option, Object.keys(options)), 'value'));
    }
  }
}

function checkAttributes(draft: Draft, item: Declared<Partial<ItemDeclaration>>, found: ProblemList): void {
  for (const key in item.declaration.attributes) {
    if (draft.attributes.has(key) || !draft.complete) continue;
    const message = `attribute ${quoted(key)} is not declared`;
    found.add(() => unknown(item, ['attributes', key], message, declaredHint(key, draft.attributes.keys())));
  }
}

function unknown(
  item: Declared<Partial<ItemDeclaration>>,
  path: readonly (string | number)[],
  message: string,
  hint: string,
  part: 'key' | 'value' = 'key',
): Diagnostic {
  const location = item.document.locate([...item.path, ...path], part);
  return error('unknown-reference', message, { location, hint });
}

/** What to say about a name that is not declared: the nearest that is, or all that are. */
export function declaredHint(name: string, declared: Iterable<string>): string {
  const known = [...declared];
  const meant = nearest(name, known);
  if (meant !== undefined) return `did you mean ${quoted(meant)}?`;
  if (known.length === 0) return 'none are declared yet';
  const shown = known.slice(0, 10).map(quoted).join(', ');
  return known.length > 10 ? `declared are ${shown} and ${known.length - 10} more` : `declared: ${shown}`;
}

/** An attribute's minimum is not above its maximum. */
const ranges: Rule = ({ items }) => {
  const found = new ProblemList();
  for (const { declaration, document, path } of items.values()) {
    for (const key in declaration.attributes) {
      const range = declaration.attributes[key];
      if (range === undefined || range.min <= range.max) continue;
      const location = document.locate([...path, 'attributes', key, 'min']);
      const maximum = document.locate([...path, 'attributes', key, 'max']);
      const related = [{ message: 'the maximum', location: maximum }];
      const message = `the minimum of ${quoted(key)} is ${range.min}, above its maximum ${range.max}`;
      // An override of one end does not want the two swapped.
      const hint = location.source === maximum.source ? { hint: 'swap the two' } : {};
      found.add(() => error('empty-range', message, { location, related, ...hint }));
    }
  }
  return found.all();
};

/** Option names differ within a classifier: the service's answers are matched to options by name. */
const optionNames: Rule = ({ classifiers }) => {
  const repeats = [...classifiers.values()].flatMap(({ declaration, document, path }) =>
    repeatsIn(Object.entries(declaration.options ?? {}), ([, { name }]) => name).map((pair) => ({
      pair,
      placeOf: (option: string) => document.locate([...path, 'options', option, 'name']),
    })),
  );
  return problemsIn(repeats, ({ pair: [[first], [key, { name }]], placeOf }) => () => {
    const message = `the options ${quoted(first)} and ${quoted(key)} have the same name ${quoted(name)}`;
    const hint = 'answers are matched to options by name, so give each its own';
    const related = [{ message: 'the other', location: placeOf(first) }];
    return error('same-option-name', message, { location: placeOf(key), related, hint });
  });
};

/** No two items give the same `id`. */
const itemIds: Rule = ({ items }) =>
  problemsIn(
    repeatsIn(items.values(), ({ declaration }) => declaration.id),
    ([first, item]) =>
      () => {
        const location = item.document.locate([...item.path, 'id']);
        const related = [{ message: 'the other', location: first.document.locate([...first.path, 'id']) }];
        const id = quoted(item.declaration.id ?? '');
        const message = `the items ${quoted(first.key)} and ${quoted(item.key)} have the same id ${id}`;
        return error('same-item-id', message, { location, related });
      },
  );

/** Each entry with the text of an earlier one, after the first that has it. */
function repeatsIn<T>(
  entries: Iterable<T>,
  textOf: (entry: T) => string | undefined,
): readonly (readonly [first: T, again: T])[] {
  const firsts = new Map<string, T>();
  const found: (readonly [T, T])[] = [];
  for (const entry of entries) {
    const text = textOf(entry);
    if (text === undefined) continue;
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, entry);
    else found.push([first, entry]);
  }
  return found;
}

/** `lifecycle.ignoreChanges` names fields that are compared at all. */
const ignoredFields: Rule = (draft) => {
  const found = new ProblemList();
  for (const section of ['classifiers', 'items'] as const) {
    const known = comparedFields[section];
    for (const { declaration, document, path } of draft[section].values()) {
      for (const [index, name] of (declaration.lifecycle?.ignoreChanges ?? []).entries()) {
        if (known.includes(name)) continue;
        found.add(() => {
          const location = document.locate([...path, 'lifecycle', 'ignoreChanges', index]);
          const meant = nearest(name, known);
          const hint = meant ? `did you mean ${quoted(meant)}?` : `possible: ${known.map(quoted).join(', ')}`;
          const message = `${quoted(name)} is not a field whose changes can be ignored`;
          return error('unknown-field', message, { location, hint });
        });
      }
    }
  }
  return found.all();
};

/** What is only used when an item is created is never compared. */
const onlyForCreates = ['id', 'createdAt', 'updatedAt'];
const comparedFields = {
  classifiers: comparedIn(schema.$defs.classifier),
  items: comparedIn(schema.$defs.item),
};

function comparedIn({ properties }: { readonly properties: object }): readonly string[] {
  return Object.keys(properties).filter((name) => ![...onlyForCreates, 'lifecycle'].includes(name));
}

/** No resource is declared under a key of the probe records, and none of these is moved into the catalog. */
const reservedKeys: Rule = ({ classifiers, items, moved }) => {
  const declared = [...classifiers.values(), ...items.values()].filter(({ key }) => isReservedKey(key));
  const renamed = moved.filter(({ from }) => isReservedKey(keyOf(from)));
  return [
    ...problemsIn(
      declared,
      ({ key, document, path }) =>
        () =>
          reserved(key, document.locate(path, 'key')),
    ),
    ...problemsIn(renamed, (move) => () => reserved(move.from, move.document.locate([...move.path, 'from']))),
  ];
};

function reserved(name: string, location: Location): Diagnostic {
  const hint = `choose a key that does not begin with ${PROBE_KEY}`;
  return error('reserved-key', `${quoted(name)} is reserved for the records that a probe makes`, {
    location,
    hint,
  });
}

const allRules: readonly Rule[] = [
  uniqueKeys,
  references,
  ranges,
  optionNames,
  itemIds,
  ignoredFields,
  placeholders,
  reservedKeys,
  moves,
];
