import { describe, expect, test } from 'vitest';
import type { WireAssignment, WireClassifier, WireItem, WireOption } from '../../src/contract/api.ts';
import { unknownProfile } from '../../src/contract/profile.ts';
import { namesFrom } from '../../src/plan/names.ts';
import { classifier } from '../../src/resources/classifier.ts';
import { item } from '../../src/resources/item.ts';
import { entriesOf } from '../../src/state/entries.ts';
import type { State } from '../../src/state/model.ts';
import { catalogFrom, Desk } from '../rig/desk.ts';
import { createdAt } from '../rig/memory-service.ts';

const option = (id: string, name: string, dropRateMultiplier = 1): WireOption => ({
  id,
  name,
  dropRateMultiplier,
  classifierId: 'c1',
});
const common = { id: 'c1', teamId: 'team_7', createdAt, updatedAt: null };
const answer = (classifierOptions: readonly WireOption[]): WireClassifier => ({
  ...common,
  name: 'Rarity',
  classifierOptions,
});

async function namesOf(state?: State) {
  const attributeIds = new Map([['damage', 'attr_01']]);
  return namesFrom({ catalog: await catalogFrom(''), entries: entriesOf(state), attributeIds });
}

test('a returned option has the key of its ID, and a foreign one has its ID', async () => {
  const options = answer([option('o2', 'Renamed', 2), option('o9', 'Foreign')]);
  const { values } = classifier.answered(options, await namesOf(), { rare: 'o2' });
  expect(Object.fromEntries(values)).toEqual({
    name: 'Rarity',
    'options.rare': { name: 'Renamed', dropRateMultiplier: 2 },
    'options.o9': { name: 'Foreign', dropRateMultiplier: 1 },
  });
});

describe('the option IDs of a classifier', () => {
  const text = `classifiers:
  rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 }, rare: { name: Rare, dropRateMultiplier: 1 } } }
`;
  const both = { common: 'o1', rare: 'o2' };
  const first = 'o1 Common, o2 Rare';

  test.each<[string, string[], object]>([
    ['match by name, not by position', ['o2 Rare, o1 Common'], both],
    ['match by name, even among other options', ['o0 Epic, o2 Rare, o1 Common'], both],
    ['lack an option that is missing', ['o1 Common'], { common: 'o1' }],
    ['lack an option with another name', ['o1 Common, o2 RARE'], { common: 'o1' }],
    ['lack an option that occurs twice', [`${first}, o3 Rare`], { common: 'o1' }],
    ['lack an option that occurs three times', [`o3 Rare, ${first}, o4 Rare`], { common: 'o1' }],
    ['stay with their keys, even if their names change', [first, 'o1 Rare, o2 Common'], both],
    ['stay with their keys, even if others have their names', [first, 'o3 Rare, o1 Common'], both],
    ['are not taken from another key by name', [first, 'o1 Rare'], both],
  ])('%s', async (_, answers, expected) => {
    const desk = new Desk();
    for (const [at, words] of answers.entries()) {
      const options = words.split(', ').map((each) => option(...(each.split(' ') as [string, string])));
      desk.service.answerWith(answer(options));
      await desk.apply(text.replace('name: Rarity', `name: Rarity ${at}`));
    }
    expect(desk.recorded.live['classifier.rarity']?.options).toEqual(expected);
  });

  test('match every key, or the classifier is diverged', async () => {
    const desk = new Desk();
    desk.service.answerWith(answer([option('o2', 'Rare'), option('o1', 'Common')]));
    await desk.apply(text);
    expect((await desk.plan(text)).changes).toEqual([]);
    const other = new Desk();
    other.service.answerWith(answer([option('o1', 'Common'), option('o2', 'Rare'), option('o3', 'Rare')]));
    await other.apply(text);
    expect(other.recorded.live['classifier.rarity']?.confidence).toBe('diverged');
  });
});

describe('an item', () => {
  const assigned = (classifierId: string, classifierOption: WireOption): WireAssignment => ({
    classifierId,
    classifierOption,
  });
  const range = (attributeId: string, min: number, max: number) => ({
    id: `r-${attributeId}`,
    itemId: 'i',
    attributeId,
    min,
    max,
  });
  const wire = (classifiers: readonly WireAssignment[], attributes: WireItem['attributes']): WireItem => {
    return { ...common, name: 'Sword', thumbnail: null, rollNumerator: 40, classifiers, attributes };
  };

  test('has returned assignments and ranges by key in any order, foreign ones by ID', async () => {
    const options = 'b: { name: B, dropRateMultiplier: 1 }, a: { name: A, dropRateMultiplier: 1 }';
    const desk = await Desk.applied(`classifiers: { rarity: { name: R, options: { ${options} } } }`);
    const [b, foreign, a] = [option('c1-o1', 'B'), option('o9', 'Foreign'), option('c1-o2', 'A')];
    const found = item.answered(
      wire(
        [assigned('c1', b), assigned('c9', foreign), assigned('c1', a)],
        [range('attr_99', 5, 6), range('attr_01', 1, 2)],
      ),
      await namesOf(desk.state),
    );
    expect(Object.fromEntries(found.values)).toMatchObject({
      name: 'Sword',
      thumbnail: null,
      rollNumerator: 40,
      'classifiers.rarity': ['a', 'b'],
      'classifiers.c9': ['o9'],
      'attributes.damage': { min: 1, max: 2 },
      'attributes.attr_99': { min: 5, max: 6 },
    });
  });

  test('has foreign IDs repeated in an update', async () => {
    const names = await namesOf();
    const foreign = wire([assigned('c9', option('o9', 'F'))], [range('attr_99', 5, 6)]);
    const answered = item.answered(foreign, names);
    const profile = { ...unknownProfile, 'itemUpdate.classifierOptionIds': 'by-classifier' } as const;
    expect(item.updateBody(answered, answered.groups, profile, names)).toMatchObject({
      name: 'Sword',
      rollNumerator: 40,
      attributes: [{ attributeId: 'attr_99', min: 5, max: 6 }],
      classifierOptionIds: { c9: ['o9'] },
    });
  });

  test('has the same assignments as one key or a list, in any order', () => {
    const declared = (classifiers: Record<string, string | string[]>) =>
      item.desired({ name: 'S', rollNumerator: 1, classifiers });
    expect(declared({ a: 'x', b: ['y', 'z'] })).toEqual(declared({ b: ['z', 'y'], a: ['x'] }));
  });

  test('has the same create for any order of assignments and ranges', async () => {
    const names = await namesOf();
    const body = (classifiers: object, attributes: object) =>
      JSON.stringify(
        item.createBody({ name: 'S', rollNumerator: 1, classifiers, attributes } as never, names),
      );
    const range = { min: 1, max: 2 };
    expect(body({ b: 'y', a: ['x', 'w'] }, { speed: range, damage: range })).toBe(
      body({ a: ['w', 'x'], b: ['y'] }, { damage: range, speed: range }),
    );
  });

  test('has a create with the fields that only a create can have', async () => {
    const declared = { name: 'S', rollNumerator: 1, createdAt: '2020-01-01', updatedAt: null };
    expect(item.createBody(declared, await namesOf(), 'my-id')).toMatchObject({
      id: 'my-id',
      name: 'S',
      rollNumerator: 1,
      classifierOptionIds: [],
      itemAttributes: [],
      createdAt: '2020-01-01',
      updatedAt: null,
    });
  });
});
