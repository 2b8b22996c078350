import { describe, expect, test } from 'vitest';
import type { WireAssignment, WireClassifier, WireItem, WireOption } from '../../src/contract/wire.ts';
import { namesFrom } from '../../src/plan/names.ts';
import { classifier, optionIdsByName } from '../../src/resources/classifier.ts';
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
const answer = (classifierOptions: readonly WireOption[]): WireClassifier => ({
  id: 'c1',
  name: 'Rarity',
  teamId: 'team_7',
  createdAt,
  updatedAt: null,
  classifierOptions,
});
const keysAndNames = [
  ['common', { name: 'Common' }],
  ['rare', { name: 'Rare' }],
] as const;

describe('options are matched by name', () => {
  const common = option('o1', 'Common');
  const rare = option('o2', 'Rare');

  test('never by position', () => {
    const expected = { common: 'o1', rare: 'o2' };
    expect(optionIdsByName(keysAndNames, [common, rare])).toEqual(expected);
    expect(optionIdsByName(keysAndNames, [rare, common])).toEqual(expected);
    expect(optionIdsByName(keysAndNames, [option('o0', 'Epic'), rare, common])).toEqual(expected);
  });

  test.each([
    ['missing', [common]],
    ['named otherwise', [common, option('o2', 'RARE')]],
    ['there twice', [common, rare, option('o3', 'Rare')]],
    ['there three times', [option('o3', 'Rare'), common, rare, option('o4', 'Rare')]],
  ])('one that is %s has no id', (_, answered) => {
    expect(optionIdsByName(keysAndNames, answered)).toEqual({ common: 'o1' });
  });
});

describe('a classifier that was answered', () => {
  test('its options go by the keys of their ids, whatever they are called; a foreign one by its id', async () => {
    const names = namesFrom({
      catalog: await catalogFrom(''),
      entries: entriesOf(undefined),
      attributeIds: new Map(),
    });
    const answered = classifier.answered(
      answer([option('o2', 'Renamed', 2), option('o9', 'Foreign')]),
      names,
      {
        rare: 'o2',
      },
    );
    expect(Object.fromEntries(answered.values)).toEqual({
      name: 'Rarity',
      'options.rare': { name: 'Renamed', dropRateMultiplier: 2 },
      'options.o9': { name: 'Foreign', dropRateMultiplier: 1 },
    });
  });
});

describe('the ids of options, from answer to answer', () => {
  const text = `classifiers:
  rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 }, rare: { name: Rare, dropRateMultiplier: 1 } } }
`;
  const optionsOf = (desk: Desk) => desk.recorded.live['classifier.rarity']?.options;

  async function answeredWith(
    options: readonly WireOption[],
    desk = new Desk(),
    catalog = text,
  ): Promise<Desk> {
    desk.service.react = (_, honest) => {
      const outcome = honest();
      return outcome.kind === 'answered' ? { ...outcome, body: answer(options) } : outcome;
    };
    await desk.apply(catalog);
    return desk;
  }

  test('a shuffled answer', async () => {
    const desk = await answeredWith([option('o2', 'Rare'), option('o1', 'Common')]);
    expect(optionsOf(desk)).toEqual({ common: 'o1', rare: 'o2' });
    expect((await desk.plan(text)).changes).toEqual([]);
  });

  test('two options of one name: neither is taken for the key, and it is told', async () => {
    const desk = await answeredWith([option('o1', 'Common'), option('o2', 'Rare'), option('o3', 'Rare')]);
    expect(optionsOf(desk)).toEqual({ common: 'o1' });
    expect(desk.recorded.live['classifier.rarity']?.confidence).toBe('diverged');
  });

  test('an id stays with its key while it is answered, also under another name', async () => {
    const desk = await answeredWith([option('o1', 'Common'), option('o2', 'Rare')]);
    const swapped = [option('o1', 'Rare'), option('o2', 'Common')];
    await answeredWith(swapped, desk, text.replace('name: Rarity', 'name: Tier'));
    expect(optionsOf(desk)).toEqual({ common: 'o1', rare: 'o2' });
  });

  test('an id that is answered no more is matched anew by name', async () => {
    const desk = await answeredWith([option('o1', 'Common'), option('o2', 'Rare')]);
    await answeredWith(
      [option('o3', 'Rare'), option('o1', 'Common')],
      desk,
      text.replace('name: Rarity', 'name: Tier'),
    );
    expect(optionsOf(desk)).toEqual({ common: 'o1', rare: 'o3' });
  });

  test('a name that belongs to the id of another key is not taken', async () => {
    const desk = await answeredWith([option('o1', 'Common'), option('o2', 'Rare')]);
    await answeredWith([option('o1', 'Rare')], desk, text.replace('name: Rarity', 'name: Tier'));
    expect(optionsOf(desk)).toEqual({ common: 'o1' });
  });
});

describe('an item that was answered', () => {
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
  const wire = (
    classifiers: readonly WireAssignment[],
    attributes: WireItem['attributes'] = [],
  ): WireItem => ({
    id: 'i',
    name: 'Sword',
    thumbnail: null,
    rollNumerator: 40,
    createdAt,
    updatedAt: null,
    teamId: 'team_7',
    classifiers,
    attributes,
  });

  async function namesOf(state?: State) {
    const attributeIds = new Map([['damage', 'attr_01']]);
    return namesFrom({ catalog: await catalogFrom(''), entries: entriesOf(state), attributeIds });
  }

  test('assignments and ranges are known by their keys, in any order; foreign ones by their ids', async () => {
    const desk = new Desk();
    await desk.apply(
      'classifiers: { rarity: { name: R, options: { b: { name: B, dropRateMultiplier: 1 }, a: { name: A, dropRateMultiplier: 1 } } } }',
    );
    const found = item.answered(
      wire(
        [
          assigned('c1', option('c1-o1', 'B')),
          assigned('c9', option('o9', 'Foreign')),
          assigned('c1', option('c1-o2', 'A')),
        ],
        [range('attr_99', 5, 6), range('attr_01', 1, 2)],
      ),
      await namesOf(desk.state),
    );
    expect(Object.fromEntries(found.values)).toEqual({
      name: 'Sword',
      thumbnail: null,
      rollNumerator: 40,
      'classifiers.rarity': ['a', 'b'],
      'classifiers.c9': ['o9'],
      'attributes.damage': { min: 1, max: 2 },
      'attributes.attr_99': { min: 5, max: 6 },
    });
  });

  test('what is foreign is repeated in an update by the ids it has', async () => {
    const names = await namesOf();
    const answered = item.answered(
      wire([assigned('c9', option('o9', 'F'))], [range('attr_99', 5, 6)]),
      names,
    );
    const { environment } = await new Desk({
      profile: { 'itemUpdate.classifierOptionIds': 'by-classifier' },
    }).inputs('');
    expect(item.updateBody(answered, answered.groups, environment.profile, names)).toEqual({
      name: 'Sword',
      rollNumerator: 40,
      attributes: [{ attributeId: 'attr_99', min: 5, max: 6 }],
      classifierOptionIds: { c9: ['o9'] },
    });
  });

  test('assignments are the same whether written as one key or as a list, and in any order', () => {
    const declared = (classifiers: Record<string, string | string[]>) =>
      item.desired({ name: 'S', rollNumerator: 1, classifiers });
    expect(declared({ a: 'x', b: ['y', 'z'] })).toEqual(declared({ b: ['z', 'y'], a: ['x'] }));
  });

  test('a create has assignments and ranges in key order, so that it is the same text every time', async () => {
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

  test('a create passes on what only a create can say', async () => {
    const declared = { name: 'S', rollNumerator: 1, createdAt: '2020-01-01', updatedAt: null };
    expect(item.createBody(declared, await namesOf(), 'my-id')).toEqual({
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
