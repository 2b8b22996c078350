import { describe, expect, test } from 'vitest';
import { knownAfterApply, referenceAsKey, resolveReferences } from '../../src/resources/fields.ts';
import { updateFromCreate } from '../../src/resources/registry.ts';

const rare = knownAfterApply('classifier.rarity.rare');
const body = {
  name: '$knownAfterApply:not-a-promise',
  list: [rare, 'c1', rare],
  object: { [referenceAsKey(knownAfterApply('classifier.rarity'))]: [rare], c2: null, n: 1.5, yes: true },
};

describe('promised ids', () => {
  test('are replaced wherever they stand, also as keys, and nothing else is', () => {
    expect(resolveReferences(body, (address) => `<${address}>`)).toEqual({
      name: '$knownAfterApply:not-a-promise',
      list: ['<classifier.rarity.rare>', 'c1', '<classifier.rarity.rare>'],
      object: { '<classifier.rarity>': ['<classifier.rarity.rare>'], c2: null, n: 1.5, yes: true },
    });
  });

  test('a key that is an id already stays one', () => expect(referenceAsKey('c1')).toBe('c1'));
});

describe('the update that says what a create has said', () => {
  const create = {
    id: 'i',
    name: 'Sword',
    rollNumerator: 40,
    classifierOptionIds: ['o'],
    itemAttributes: [{ attributeId: 'a', min: 1, max: 2 }],
    createdAt: '2020-01-01',
    updatedAt: null,
  };

  test.each([
    ['with a thumbnail', { thumbnail: 'a.png' }, { thumbnail: 'a.png' }],
    ['with none', { thumbnail: null }, {}],
    ['without a word of it', {}, {}],
  ])('an item %s', (_, created, updated) => {
    const { thumbnail, ...rest } = updateFromCreate('item', { ...create, ...created });
    expect(thumbnail === undefined ? {} : { thumbnail }).toEqual(updated);
    expect(rest).toMatchObject({ name: 'Sword', rollNumerator: 40, attributes: create.itemAttributes });
    for (const name of ['id', 'createdAt', 'itemAttributes']) expect(rest).not.toHaveProperty(name);
  });

  test('a classifier: its name', () => {
    const created = { name: 'Rarity', classifierOptions: [{}] };
    expect(updateFromCreate('classifier', created)).toEqual({ name: 'Rarity' });
  });
});
