import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import type { Diagnostic, Names } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { problemsIn } from '../text/problem-list.ts';
import type { Draft, OpenSections } from './merge.ts';
import { type Catalog, type Declared, isKey, isReservedKey, keyOf, PROBE_KEY } from './model.ts';
import { moves } from './moves.ts';
import { placeholders } from './template.ts';
import { type Violation, violation } from './violation.ts';

/**
 * What a catalog that was changed after it was loaded violates. `whole` is the catalog before resources were left
 * out: their names are still declared.
 */
export function brokenRules(
  catalog: Catalog,
  whole: Catalog,
  open: OpenSections,
  concerns: (problem: Diagnostic) => boolean,
): readonly Diagnostic[] {
  const classifiers = new Map([...whole.classifiers, ...catalog.classifiers]);
  const draft = { ...catalog, classifiers, moved: [], repetitions: [], open };
  function* problems() {
    for (const describe of violationsOf(draft)) {
      const problem = describe();
      if (concerns(problem)) yield problem;
    }
  }
  return problemsIn(problems(), (problem) => problem);
}

/** Everything that a catalog must be beyond its schema. */
export function checkRules(draft: Draft): readonly Diagnostic[] {
  return problemsIn(violationsOf(draft), (describe) => describe());
}

function* violationsOf(draft: Draft): Iterable<Violation> {
  for (const rule of allRules) yield* rule(draft);
}

const allRules: readonly ((draft: Draft) => Iterable<Violation>)[] = [
  uniqueKeys,
  declaredClassifiers,
  declaredAttributes,
  ranges,
  optionNames,
  itemIds,
  ignoredFields,
  placeholders,
  reservedKeys,
  moves,
];

/** No key is declared twice, in whichever files (within one mapping the YAML reader reports it). */
function* uniqueKeys({ repetitions }: Draft): Iterable<Violation> {
  for (const { section, first, second } of repetitions) {
    const values = { kind: section.slice(0, -1), key: second.key };
    const other = { role: 'first-declared', at: [first] } as const;
    yield () => violation('duplicate-key', values, [second], { part: 'key', other });
  }
}

/** The classifiers that items name are declared, with their options. */
function* declaredClassifiers({ items, classifiers, open }: Draft): Iterable<Violation> {
  const isUndeclared = missingFrom(classifiers.keys());
  const isUndeclaredIn = new Map(
    [...classifiers].map(([key, { declaration }]) => [
      key,
      missingFrom(Object.keys(declaration.options ?? {})),
    ]),
  );
  for (const item of items.values()) {
    const assigned = item.declaration.classifiers;
    for (const key in assigned) {
      if (!open.has('classifiers') && isUndeclared(key))
        yield undeclared(item, 'classifier', key, classifiers);
      const { options } = classifiers.get(key)?.declaration ?? {};
      for (const [index, option] of [assigned[key] ?? []].flat().entries()) {
        if (!options || !isUndeclaredIn.get(key)?.(option)) continue;
        const below = typeof assigned[key] === 'string' ? [] : [index];
        const values = { kind: 'option', name: option, of: key, known: options };
        yield () => violation('unknown-reference', values, [item, 'classifiers', key, ...below]);
      }
    }
  }
}

/** Names that are no keys, which any name may be meant for; each is compared. */
const MOST_GUESSED = 10;

/** Whether a name is surely not among the declared ones: it may be meant for one that is reported as no key. */
export function missingFrom(declared: Iterable<string>): (name: string | undefined) => boolean {
  const names = new Set(declared);
  const wrong = [...names].filter((name) => !isKey(name)).slice(0, MOST_GUESSED);
  return (name) => name !== undefined && !names.has(name) && nearest(name, wrong) === undefined;
}

/** The attributes that items name are declared. */
function* declaredAttributes({ items, attributes, open }: Draft): Iterable<Violation> {
  if (open.has('attributes')) return;
  const isUndeclared = missingFrom(attributes.keys());
  for (const item of items.values())
    for (const key in item.declaration.attributes)
      if (isUndeclared(key)) yield undeclared(item, 'attribute', key, attributes);
}

function undeclared(
  item: Declared<unknown>,
  kind: 'classifier' | 'attribute',
  name: string,
  known: Names,
): Violation {
  return () =>
    violation('unknown-reference', { kind, name, known }, [item, `${kind}s`, name], { part: 'key' });
}

/** An attribute's minimum is not above its maximum. */
function* ranges({ items }: Draft): Iterable<Violation> {
  for (const item of items.values()) {
    for (const key in item.declaration.attributes) {
      const range = item.declaration.attributes[key];
      // Not the opposite: a bound may be undefined.
      if (range === undefined || !(range.min > range.max)) continue;
      const other = { role: 'maximum', at: [item, 'attributes', key, 'max'] } as const;
      const fileOf = (bound: string) => item.document.locate([...item.path, 'attributes', key, bound]).source;
      yield () => {
        const values = { attribute: key, ...range, isOneFile: fileOf('min') === fileOf('max') };
        return violation('empty-range', values, [item, 'attributes', key, 'min'], { other });
      };
    }
  }
}

/** Option names differ within a classifier: the service's answers are matched to options by name. */
function* optionNames({ classifiers }: Draft): Iterable<Violation> {
  for (const classifier of classifiers.values()) {
    const options = Object.entries(classifier.declaration.options ?? {});
    for (const [[first], [key, { name }]] of repeatsIn(options, ([, option]) => option?.name)) {
      const values = { name, options: [first, key] } as const;
      const other = { role: 'other', at: [classifier, 'options', first, 'name'] } as const;
      yield () => violation('same-option-name', values, [classifier, 'options', key, 'name'], { other });
    }
  }
}

/** No two items give the same `id`. */
function* itemIds({ items }: Draft): Iterable<Violation> {
  for (const [first, item] of repeatsIn(items.values(), ({ declaration }) => declaration.id)) {
    const values = { id: item.declaration.id ?? '', items: [first.key, item.key] } as const;
    yield () =>
      violation('same-item-id', values, [item, 'id'], { other: { role: 'other', at: [first, 'id'] } });
  }
}

/** Each entry with the text of an earlier one, after the first that has it. */
function* repeatsIn<T>(
  entries: Iterable<T>,
  textOf: (entry: T) => string | undefined,
): Iterable<readonly [first: T, again: T]> {
  const firsts = new Map<string, T>();
  for (const entry of entries) {
    const text = textOf(entry);
    if (text === undefined) continue;
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, entry);
    else yield [first, entry];
  }
}

/** `lifecycle.ignoreChanges` names fields that are compared at all. */
function* ignoredFields(draft: Draft): Iterable<Violation> {
  for (const section of ['classifiers', 'items'] as const) {
    const known = comparedFields[section];
    for (const declared of draft[section].values()) {
      for (const [index, name] of (declared.declaration.lifecycle?.ignoreChanges ?? []).entries()) {
        if (name === undefined || known.includes(name)) continue;
        const place = [declared, 'lifecycle', 'ignoreChanges', index] as const;
        yield () => violation('unknown-field', { field: name, known }, place);
      }
    }
  }
}

const comparedFields = {
  classifiers: comparedIn(schema.$defs.classifier),
  items: comparedIn(schema.$defs.item),
};

function comparedIn({ properties }: { readonly properties: object }): readonly string[] {
  // What is only used when an item is created is never compared.
  const others = ['id', 'createdAt', 'updatedAt', 'lifecycle'];
  return Object.keys(properties).filter((name) => !others.includes(name));
}

/** No resource is declared under a key of the probe records, and none of these is moved into the catalog. */
function* reservedKeys({ classifiers, items, moved }: Draft): Iterable<Violation> {
  const reserved = (key: string) => ({ key, prefix: PROBE_KEY });
  for (const declared of [...classifiers.values(), ...items.values()])
    if (isReservedKey(declared.key))
      yield () => violation('reserved-key', reserved(declared.key), [declared], { part: 'key' });
  for (const move of moved)
    if (isReservedKey(keyOf(move.from)))
      yield () => violation('reserved-key', reserved(move.from), [move, 'from']);
}
