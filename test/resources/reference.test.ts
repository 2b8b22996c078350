import { describe, expect, test } from 'vitest';
import { knownAfterApply, referenceAsKey, resolveReferences } from '../../src/resources/fields.ts';
import { updateFromCreate } from '../../src/resources/registry.ts';

const rare = knownAfterApply('classifier.rarity.rare');
const body = {
  name: '$knownAfterApply:not-a-promise',
  list: [rare, 'c1', rare],
  object: { [referenceAsKey(knownAfterApply('classifier.rarity'))]: [rare], c2: null, n: 1.5, yes: true },
};

describe('references to future IDs', () => {
  test('are replaced everywhere, even as keys, and nothing else is', () => {
    expect(resolveReferences(body, (address) => `<${address}>`)).toEqual({
      name: '$knownAfterApply:not-a-promise',
      list: ['<classifier.rarity.rare>', 'c1', '<classifier.rarity.rare>'],
      object: { '<classifier.rarity>': ['<classifier.rarity.rare>'], c2: null, n: 1.5, yes: true },
    });
  });

  test('do not change a key that is already an ID', () => expect(referenceAsKey('c1')).toBe('c1'));
});

describe('the update that repeats a create', () => {
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
    ['with a null thumbnail', { thumbnail: null }, {}],
    ['without a thumbnail', {}, {}],
  ])('has the fields of an item %s', (_, created, updated) => {
    const { thumbnail, ...rest } = updateFromCreate('item', { ...create, ...created });
    expect(thumbnail === undefined ? {} : { thumbnail }).toEqual(updated);
    expect(rest).toMatchObject({ name: 'Sword', rollNumerator: 40, attributes: create.itemAttributes });
    for (const name of ['id', 'createdAt', 'itemAttributes']) expect(rest).not.toHaveProperty(name);
  });

  test('has only the name of a classifier', () => {
    const created = { name: 'Rarity', classifierOptions: [{}] };
    expect(updateFromCreate('classifier', created)).toEqual({ name: 'Rarity' });
  });
});
