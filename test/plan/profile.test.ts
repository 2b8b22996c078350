import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/contract/profile.ts';
import { actionsOf, Desk } from '../rig/desk.ts';

const classifiers = `classifiers:
  rarity:
    name: Rarity
    options: { common: { name: Common, dropRateMultiplier: 1 }, rare: { name: Rare, dropRateMultiplier: 0.5 } }
  slot:
    name: Slot
    options: { main: { name: Main, dropRateMultiplier: 1 }, off: { name: Off, dropRateMultiplier: 1 } }
`;
const head = `attributes: { damage: {}, speed: {} }\n${classifiers}`;
const item = (fields: string) => `${head}items: { sword: { name: Sword, rollNumerator: 40, ${fields} } }\n`;

/** What is planned for the sword when its fields change from `before` to `after`. */
async function edited(before: string, after: string, profile: Partial<Profile> = {}) {
  const plan = await (await Desk.applied(item(before))).plan(item(after), profile);
  const { changes } = plan;
  const body = changes.flatMap(({ requests }) => requests)[0]?.body;
  return { actions: actionsOf(plan), body, changes };
}

const blocked = ['blocked item.sword'];
const updated = ['update item.sword'];
const byOption = { 'itemUpdate.classifierOptionIds': 'by-option' } as const;
const withDamage = 'attributes: { damage: { min: 1, max: 2 } }';

describe('itemUpdate.classifierOptionIds', () => {
  const was = 'classifiers: { rarity: common, slot: main }';
  const is = 'classifiers: { slot: [off, main], rarity: rare }';

  test.each([
    ['by-classifier', { c1: ['c1-o2'], c2: ['c2-o1', 'c2-o2'] }, { c1: ['c1-o2'] }],
    ['by-option', { 'c1-o2': true, 'c2-o1': true, 'c2-o2': true }, { 'c1-o2': true }],
    ['by-index', { 0: 'c1-o2', 1: 'c2-o1', 2: 'c2-o2' }, { 0: 'c1-o2' }],
  ] as const)('as %s shapes assignments, even with IDs of the same plan', async (shape, ids, newIds) => {
    const profile = { 'itemUpdate.classifierOptionIds': shape, 'itemUpdate.assignments': 'replace' } as const;
    const body = { classifierOptionIds: ids };
    expect(await edited(was, is, profile)).toMatchObject({ actions: updated, body });
    const bare = `items: { sword: { name: Sword, rollNumerator: 40, classifiers: {} } }`;
    const desk = await Desk.applied(bare);
    const text = `${classifiers}${bare.replace('{}', '{ rarity: rare }')}`;
    const { requests } = await desk.change('item.sword', text, profile);
    expect(JSON.stringify(requests)).toContain('$knownAfterApply');
    await desk.apply(text, profile);
    expect(desk.service.received.at(-1)?.request.body.classifierOptionIds).toEqual(newIds);
    expect(await desk.actions(text, profile)).toEqual([]);
  });

  test('as unsupported blocks assignments and omits them from other updates', async () => {
    const { actions, body } = await edited(was, `${is}, thumbnail: a.png`);
    expect(actions).toEqual([...blocked, ...updated]);
    expect(body).toMatchObject({ name: 'Sword', rollNumerator: 40, thumbnail: 'a.png' });
    expect(body).not.toHaveProperty('classifierOptionIds');
  });

  test('repeats assignments that the catalog does not manage', async () => {
    const profile = { 'itemUpdate.classifierOptionIds': 'by-index' } as const;
    const { actions, body } = await edited(was, 'thumbnail: a.png', profile);
    expect([actions, body?.classifierOptionIds]).toEqual([updated, { 0: 'c1-o1', 1: 'c2-o1' }]);
  });
});

describe('itemUpdate.assignments', () => {
  const settings = ['unknown', 'merge', 'replace'] as const;

  test.each([
    ['an addition', 'rarity: common', 'rarity: [common, rare]', settings],
    ['a removal', 'rarity: [common, rare]', 'rarity: rare', ['replace']],
    ['an exchange', 'rarity: common', 'rarity: rare', ['replace']],
    ['a further classifier', 'rarity: common', 'rarity: common, slot: main', settings],
    ['a removal of all', 'rarity: common', '', ['replace']],
  ])('allows %s (from "%s" to "%s") only if it is one of %j', async (_, was, is, sent) => {
    for (const setting of settings) {
      const profile = { ...byOption, 'itemUpdate.assignments': setting };
      const { actions, body } = await edited(`classifiers: { ${was} }`, `classifiers: { ${is} }`, profile);
      const isSent = sent.includes(setting);
      expect([setting, actions, body !== undefined]).toEqual([setting, isSent ? updated : blocked, isSent]);
    }
  });
});

describe('itemUpdate.attributes', () => {
  const both = 'attributes: { damage: { min: 1, max: 2 }, speed: { min: 3, max: 4 } }';
  const more = both.replace('max: 2', 'max: 9');
  const damage = { attributeId: 'attr_01', min: 1, max: 2 };
  const speed = { attributeId: 'attr_02', min: 3, max: 4 };

  test.each(['unknown', 'merge'] as const)(
    'as %s blocks a removal and repeats the attribute',
    async (setting) => {
      const profile = { 'itemUpdate.attributes': setting };
      const { actions, body, changes } = await edited(both, `${withDamage}, thumbnail: a.png`, profile);
      expect(actions).toEqual([...blocked, ...updated]);
      expect(body?.attributes).toEqual([damage, speed]);
      const fields = [{ path: 'attributes.speed', before: { min: 3, max: 4 }, after: null }];
      expect(changes[0]?.fields).toEqual(fields);
      const remedies = changes[0]?.remedies?.join() ?? '';
      expect(remedies.includes('itemUpdate.attributes: replace')).toBe(setting === 'unknown');
    },
  );

  test.each([
    ['replace', both, withDamage, [damage]],
    ['replace', both, '', []],
    ['unknown', withDamage, more, [{ ...damage, max: 9 }, speed]],
    ['merge', withDamage, more, [{ ...damage, max: 9 }, speed]],
    ['replace', withDamage, more, [{ ...damage, max: 9 }, speed]],
  ] as const)('as %s allows a change from "%s" to "%s"', async (setting, was, is, attributes) => {
    const { actions, body } = await edited(was, is, { 'itemUpdate.attributes': setting });
    expect([actions, body?.attributes]).toEqual([updated, attributes]);
  });
});

describe('a thumbnail', () => {
  const omitted = { 'itemUpdate.omittedThumbnail': 'cleared' } as const;
  const byNullAndOmission = { ...omitted, 'itemUpdate.clearThumbnail': 'null' } as const;
  const thumbnailIn = (body: object = {}) => ('thumbnail' in body ? { thumbnail: body.thumbnail } : {});

  test.each<[string, Partial<Profile>, readonly string[], object]>([
    ['blocked if nothing is known', {}, blocked, {}],
    ['cleared by null', { 'itemUpdate.clearThumbnail': 'null' }, updated, { thumbnail: null }],
    ['cleared by empty text', { 'itemUpdate.clearThumbnail': 'empty' }, updated, { thumbnail: '' }],
    ['cleared by an omission', { 'itemUpdate.omittedThumbnail': 'cleared' }, updated, {}],
    ['blocked if an omission keeps it', { 'itemUpdate.omittedThumbnail': 'kept' }, blocked, {}],
    ['cleared by null if an omission clears it too', byNullAndOmission, updated, { thumbnail: null }],
  ])('that is removed is %s', async (_, profile, actions, thumbnail) => {
    const found = await edited('thumbnail: a.png', 'thumbnail: null', profile);
    expect(found.actions).toEqual(actions);
    if (actions === updated) expect(thumbnailIn(found.body)).toEqual(thumbnail);
  });

  test.each<[string, string, Partial<Profile>, readonly string[], string]>([
    ['that changes is sent, whatever is known', 'thumbnail: b.png', {}, updated, 'b.png'],
    ['that is not managed is repeated', withDamage, omitted, updated, 'a.png'],
    [
      'whose removal is blocked is repeated',
      `thumbnail: null, ${withDamage}`,
      {},
      [...blocked, ...updated],
      'a.png',
    ],
  ])('%s', async (_, is, profile, actions, thumbnail) => {
    expect(await edited('thumbnail: a.png', is, profile)).toMatchObject({ actions, body: { thumbnail } });
  });

  test('that is not managed makes no difference', async () => {
    expect((await edited('thumbnail: a.png', '')).actions).toEqual([]);
  });

  test.each([
    ['null', 'thumbnail: null', { thumbnail: null }],
    ['a URL', 'thumbnail: a.png', { thumbnail: 'a.png' }],
    ['not managed', '', {}],
  ])('in a create is sent as declared: %s', async (_, fields, expected) => {
    const { requests } = await new Desk().change('item.sword', item(fields));
    expect(thumbnailIn(requests[0]?.body)).toEqual(expected);
    expect(requests).toMatchObject([{ body: { classifierOptionIds: [], itemAttributes: [] } }]);
  });
});

describe('classifierUpdate.options', () => {
  const edits: Readonly<Record<string, (text: string) => string>> = {
    multiplier: (text) => text.replace('0.5', '0.75'),
    added: (text) => text.replace('rare:', 'epic: { name: Epic, dropRateMultiplier: 0.1 }, rare:'),
    renamed: (text) => text.replace('name: Rare,', 'name: Scarce,'),
    removed: (text) => text.replace(', rare: { name: Rare, dropRateMultiplier: 0.5 }', ''),
  };
  test.each<[Profile['classifierUpdate.options'], readonly string[]]>([
    ['unsupported', []],
    ['replace', Object.keys(edits)],
    ['merge-by-name', ['multiplier', 'added']],
  ])('as %s allows only these changes of an option: %j', async (setting, sent) => {
    const desk = await Desk.applied(classifiers);
    for (const [edit, edited] of Object.entries(edits)) {
      expect(edited(classifiers)).not.toBe(classifiers);
      const action = sent.includes(edit) ? 'update' : 'blocked';
      const actions = await desk.actions(edited(classifiers), { 'classifierUpdate.options': setting });
      expect([edit, actions]).toEqual([edit, [`${action} classifier.rarity`]]);
    }
  });

  const classifierOptions = [{ name: 'Common', dropRateMultiplier: 2 }];
  const removed = edits.removed?.(classifiers).replace('plier: 1 } }', 'plier: 2 } }') ?? '';
  test.each([
    ['replace', removed, { name: 'Rarity', classifierOptions }],
    ['unsupported', classifiers.replace('name: Rarity', 'name: Tier'), { name: 'Tier' }],
  ] as const)('as %s sends exactly the fields that it allows', async (setting, text, body) => {
    const desk = await Desk.applied(classifiers);
    const profile = { 'classifierUpdate.options': setting };
    const { requests } = await desk.change('classifier.rarity', text, profile);
    expect(requests[0]?.body).toEqual(body);
  });
});

test('a recorded value with a redacted credential is not sent back', async () => {
  const desk = new Desk();
  const sword = 'items: { sword: { name: Sword, rollNumerator: 1 } }';
  desk.service.answerWith({ thumbnail: 'https://cdn.example/x.png?sig=[redacted]' });
  await desk.apply(sword);
  const edited = sword.replace('rollNumerator: 1', 'rollNumerator: 2');
  expect(await desk.change('item.sword', edited)).toMatchObject({
    action: 'blocked',
    requests: [],
    reasons: [{ code: 'redacted', paths: ['thumbnail'] }],
  });
  const declared = edited.replace('name: Sword', 'name: Sword, thumbnail: x.png');
  expect(await desk.actions(declared)).toEqual(updated);
  expect(await desk.actions(edited, { 'itemUpdate.omittedThumbnail': 'kept' })).toEqual(updated);
});

test.each([
  ['unknown', ['trove probe -e staging', 'set `itemUpdate.assignments: replace`']],
  ['merge', []],
] as const)(
  'a change blocked by a profile point offers a probe only if the point is unknown (%s)',
  async (setting, more) => {
    const profile = { ...byOption, 'itemUpdate.assignments': setting };
    const [was, is] = ['classifiers: { rarity: [common, rare] }', 'classifiers: { rarity: common }'];
    const { changes } = await edited(was, is, profile);
    const always = ['assign the option again', 'ignoreChanges: [classifiers]', '--replace item.sword'];
    const remedies = changes[0]?.remedies ?? [];
    for (const remedy of [...always, ...more]) expect(remedies.join('\n')).toContain(remedy);
    expect(remedies).toHaveLength(always.length + more.length);
  },
);
