import { stringify } from 'yaml';
import fc from './property.ts';

/** A catalog as data: what `game.yaml` says. Keys come from small pools, so that edits meet each other. */
export interface GeneratedCatalog {
  readonly attributes: Readonly<Record<string, object>>;
  readonly classifiers: Readonly<Record<string, GeneratedClassifier>>;
  readonly items: Readonly<Record<string, object>>;
}

interface GeneratedClassifier {
  readonly name: string;
  readonly options: Readonly<Record<string, { readonly name: string; readonly dropRateMultiplier: number }>>;
}

const classifierKeys = ['rarity', 'slot', 'tier'];
const optionKeys = ['a', 'b', 'c', 'd'];
const itemKeys = ['sword', 'bow', 'ring', 'potion', 'hat', 'map'];
const attributeKeys = ['damage', 'speed'];

/** Also what needs care in YAML. */
const text = fc.oneof(
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((value) => value.trim() !== '' && isPlain(value)),
  fc.constantFrom('a: b', '- x', '# no comment', 'x #1', 'it\'s "it"', ' x ', 'true', '12'),
);
const number = fc
  .oneof(
    fc.integer({ min: -1000, max: 1000 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));
const options = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...optionKeys), text, number), {
    minLength: 1,
    maxLength: 4,
    selector: ([key]) => key,
  })
  .filter((list) => new Set(list.map(([, name]) => name)).size === list.length)
  .map((list) =>
    Object.fromEntries(list.map(([key, name, dropRateMultiplier]) => [key, { name, dropRateMultiplier }])),
  );
const classifiers = fc.dictionary(fc.constantFrom(...classifierKeys), fc.record({ name: text, options }), {
  maxKeys: 3,
});
const range = fc.tuple(number, number).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

function itemFor(declared: Readonly<Record<string, GeneratedClassifier>>) {
  const assigned = Object.fromEntries(
    Object.entries(declared).map(([key, classifier]) => [
      key,
      fc.uniqueArray(fc.constantFrom(...Object.keys(classifier.options)), { minLength: 1, maxLength: 3 }),
    ]),
  );
  return fc.record(
    {
      name: text,
      rollNumerator: number,
      thumbnail: fc.option(text),
      classifiers: fc.record(assigned, { requiredKeys: [] }),
      attributes: fc.dictionary(fc.constantFrom(...attributeKeys), range),
    },
    { requiredKeys: ['name', 'rollNumerator'] },
  );
}

export const generatedCatalog: fc.Arbitrary<GeneratedCatalog> = classifiers.chain((declared) =>
  fc.dictionary(fc.constantFrom(...itemKeys), itemFor(declared), { maxKeys: 6 }).map((items) => ({
    attributes: Object.fromEntries(attributeKeys.map((key) => [key, {}])),
    classifiers: declared,
    items,
  })),
);

export function toYaml(catalog: GeneratedCatalog): string {
  return stringify(catalog, { aliasDuplicateObjects: false });
}

/** YAML can't hold control characters, lone surrogates are no text, and `${` is no plain one in a thumbnail. */
function isPlain(value: string): boolean {
  return !/[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]|\$\{/u.test(value);
}
