import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/contract/profile.ts';
import { actionsOf, changeOf, Desk } from '../rig/desk.ts';

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
async function edited(before: string, after: string, profile: Partial<Profile>) {
  const desk = new Desk();
  await desk.apply(item(before));
  const plan = await desk.plan(item(after), profile);
  const { changes } = plan;
  const body = changes.flatMap(({ requests }) => requests)[0]?.body;
  return { actions: actionsOf(plan), body, changes };
}

const blocked = ['blocked item.sword'];
const updated = ['update item.sword'];

describe('itemUpdate.classifierOptionIds', () => {
  const was = 'classifiers: { rarity: common, slot: main }';
  const is = 'classifiers: { slot: [off, main], rarity: rare }';

  test.each([
    ['by-classifier', { c1: ['c1-o2'], c2: ['c2-o1', 'c2-o2'] }],
    ['by-option', { 'c1-o2': true, 'c2-o1': true, 'c2-o2': true }],
    ['by-index', { 0: 'c1-o2', 1: 'c2-o1', 2: 'c2-o2' }],
  ] as const)('%s', async (shape, expected) => {
    const profile = { 'itemUpdate.classifierOptionIds': shape, 'itemUpdate.assignments': 'replace' } as const;
    const { actions, body } = await edited(was, is, profile);
    expect(actions).toEqual(updated);
    expect(body?.classifierOptionIds).toEqual(expected);
  });

  test('unsupported: blocked, and not a word of it in an update of something else', async () => {
    const { actions, body } = await edited(was, `${is}, thumbnail: a.png`, {});
    expect(actions).toEqual([...blocked, ...updated]);
    expect(body).toEqual({ name: 'Sword', rollNumerator: 40, attributes: [], thumbnail: 'a.png' });
  });

  test.each(['by-classifier', 'by-option', 'by-index'] as const)(
    '%s waits for ids that the same plan makes',
    async (shape) => {
      const desk = new Desk();
      const bare = `items: { sword: { name: Sword, rollNumerator: 40, classifiers: {} } }`;
      await desk.apply(bare);
      const profile = { 'itemUpdate.classifierOptionIds': shape } as const;
      const text = `${classifiers}${bare.replace('{}', '{ rarity: rare }')}`;
      const planned = changeOf(await desk.plan(text, profile), 'item.sword').requests[0]?.body
        .classifierOptionIds;
      expect(JSON.stringify(planned)).toContain('$knownAfterApply');
      await desk.apply(text, profile);
      expect(desk.service.received.at(-1)?.request.body.classifierOptionIds).toEqual(
        { 'by-classifier': { c1: ['c1-o2'] }, 'by-option': { 'c1-o2': true }, 'by-index': { 0: 'c1-o2' } }[
          shape
        ],
      );
      expect((await desk.plan(text, profile)).changes).toEqual([]);
    },
  );

  test('assignments that the catalog does not manage are repeated', async () => {
    const profile = { 'itemUpdate.classifierOptionIds': 'by-index' } as const;
    const { actions, body } = await edited(was, 'thumbnail: a.png', profile);
    expect([actions, body?.classifierOptionIds]).toEqual([updated, { 0: 'c1-o1', 1: 'c2-o1' }]);
  });
});

describe('itemUpdate.assignments', () => {
  const cases = [
    ['adding one', 'rarity: common', 'rarity: [common, rare]', [updated, updated, updated]],
    ['taking one away', 'rarity: [common, rare]', 'rarity: rare', [blocked, blocked, updated]],
    ['exchanging one', 'rarity: common', 'rarity: rare', [blocked, blocked, updated]],
    ['a further classifier', 'rarity: common', 'rarity: common, slot: main', [updated, updated, updated]],
    ['none at all', 'rarity: common', '', [blocked, blocked, updated]],
  ] as const;
  const settings = ['unknown', 'merge', 'replace'] as const;

  test.each(
    cases.flatMap(([what, was, is, expected]) =>
      settings.map((setting, n) => [what, setting, was, is, expected[n]] as const),
    ),
  )('%s, %s', async (_what, setting, was, is, expected) => {
    const profile = {
      'itemUpdate.classifierOptionIds': 'by-option',
      'itemUpdate.assignments': setting,
    } as const;
    const { actions, body } = await edited(`classifiers: { ${was} }`, `classifiers: { ${is} }`, profile);
    expect(actions).toEqual(expected);
    expect(body === undefined).toBe(expected === blocked);
  });
});

describe('itemUpdate.attributes', () => {
  const both = 'attributes: { damage: { min: 1, max: 2 }, speed: { min: 3, max: 4 } }';
  const one = 'attributes: { damage: { min: 1, max: 2 } }';
  const damage = { attributeId: 'attr_01', min: 1, max: 2 };
  const speed = { attributeId: 'attr_02', min: 3, max: 4 };

  test.each(['unknown', 'merge'] as const)(
    '%s: taking one away is blocked, and it is repeated',
    async (setting) => {
      const { actions, body, changes } = await edited(both, `${one}, thumbnail: a.png`, {
        'itemUpdate.attributes': setting,
      });
      expect(actions).toEqual([...blocked, ...updated]);
      expect(body?.attributes).toEqual([damage, speed]);
      expect(changes[0]?.fields).toEqual([
        { path: 'attributes.speed', before: { min: 3, max: 4 }, after: null },
      ]);
      const names = changes[0]?.remedies?.some((remedy) => remedy.includes('itemUpdate.attributes: replace'));
      expect(names).toBe(setting === 'unknown');
    },
  );

  test('replace: taking one away leaves it out', async () => {
    const { actions, body } = await edited(both, one, { 'itemUpdate.attributes': 'replace' });
    expect([actions, body?.attributes]).toEqual([updated, [damage]]);
  });

  test('absent means none', async () => {
    const { body } = await edited(both, '', { 'itemUpdate.attributes': 'replace' });
    expect(body?.attributes).toEqual([]);
  });

  test.each(['unknown', 'merge', 'replace'] as const)('%s: adding and changing are sent', async (setting) => {
    const { actions, body } = await edited(one, both.replace('max: 2', 'max: 9'), {
      'itemUpdate.attributes': setting,
    });
    expect([actions, body?.attributes]).toEqual([updated, [{ ...damage, max: 9 }, speed]]);
  });
});

describe('thumbnails', () => {
  test.each<[string, Partial<Profile>, readonly string[], object]>([
    ['nothing known', {}, blocked, {}],
    ['cleared by null', { 'itemUpdate.clearThumbnail': 'null' }, updated, { thumbnail: null }],
    ['cleared by empty text', { 'itemUpdate.clearThumbnail': 'empty' }, updated, { thumbnail: '' }],
    ['cleared by leaving it out', { 'itemUpdate.omittedThumbnail': 'cleared' }, updated, {}],
    ['kept when left out', { 'itemUpdate.omittedThumbnail': 'kept' }, blocked, {}],
    [
      'cleared in both ways: the one that says so',
      { 'itemUpdate.clearThumbnail': 'null', 'itemUpdate.omittedThumbnail': 'cleared' },
      updated,
      { thumbnail: null },
    ],
  ])('to none, %s', async (_, profile, actions, thumbnail) => {
    const found = await edited('thumbnail: a.png', 'thumbnail: null', profile);
    expect(found.actions).toEqual(actions);
    if (actions === updated)
      expect(found.body).toEqual({ name: 'Sword', rollNumerator: 40, attributes: [], ...thumbnail });
  });

  test('to another one is sent whatever is known', async () => {
    const { actions, body } = await edited('thumbnail: a.png', 'thumbnail: b.png', {});
    expect([actions, body?.thumbnail]).toEqual([updated, 'b.png']);
  });

  test('not managed: no difference, and repeated when something else is sent', async () => {
    expect((await edited('thumbnail: a.png', '', {})).actions).toEqual([]);
    const { body } = await edited('thumbnail: a.png', 'attributes: { damage: { min: 1, max: 2 } }', {
      'itemUpdate.omittedThumbnail': 'cleared',
    });
    expect(body?.thumbnail).toBe('a.png');
  });

  test('to none is repeated while it is blocked', async () => {
    const { actions, body } = await edited(
      'thumbnail: a.png',
      'thumbnail: null, attributes: { damage: { min: 1, max: 2 } }',
      {},
    );
    expect([actions, body?.thumbnail]).toEqual([[...blocked, ...updated], 'a.png']);
  });

  test.each([
    ['none', 'thumbnail: null', { thumbnail: null }],
    ['one', 'thumbnail: a.png', { thumbnail: 'a.png' }],
    ['not managed', '', {}],
  ])('in a create: %s', async (_, fields, expected) => {
    const { id, ...body } =
      changeOf(await new Desk().plan(item(fields)), 'item.sword').requests[0]?.body ?? {};
    expect(id).toBeDefined();
    expect(body).toEqual({
      name: 'Sword',
      rollNumerator: 40,
      classifierOptionIds: [],
      itemAttributes: [],
      ...expected,
    });
  });
});

describe('classifierUpdate.options', () => {
  const edits: Readonly<Record<string, (text: string) => string>> = {
    multiplier: (text) => text.replace('0.5', '0.75'),
    added: (text) => text.replace('rare:', 'epic: { name: Epic, dropRateMultiplier: 0.1 }, rare:'),
    renamed: (text) => text.replace('name: Rare,', 'name: Scarce,'),
    removed: (text) => text.replace(', rare: { name: Rare, dropRateMultiplier: 0.5 }', ''),
  };
  const allowed = {
    unsupported: [],
    replace: Object.keys(edits),
    'merge-by-name': ['multiplier', 'added'],
  } as const;
  const settings = Object.keys(allowed) as (keyof typeof allowed)[];
  const cases = settings.flatMap((setting) => Object.keys(edits).map((edit) => [setting, edit] as const));

  test.each(cases)('%s: an option %s', async (setting, edit) => {
    const desk = new Desk();
    await desk.apply(classifiers);
    const text = edits[edit]?.(classifiers) ?? '';
    expect(text).not.toBe(classifiers);
    const plan = await desk.plan(text, { 'classifierUpdate.options': setting });
    const isAllowed = (allowed[setting] as readonly string[]).includes(edit);
    expect(actionsOf(plan)).toEqual([`${isAllowed ? 'update' : 'blocked'} classifier.rarity`]);
  });

  test('replace: the body has every option as declared', async () => {
    const desk = new Desk();
    await desk.apply(classifiers);
    const text =
      edits.removed?.(classifiers).replace('dropRateMultiplier: 1 } }', 'dropRateMultiplier: 2 } }') ?? '';
    const plan = await desk.plan(text, { 'classifierUpdate.options': 'replace' });
    expect(changeOf(plan, 'classifier.rarity').requests[0]?.body).toEqual({
      name: 'Rarity',
      classifierOptions: [{ name: 'Common', dropRateMultiplier: 2 }],
    });
  });

  test('unsupported: the documented body and nothing else', async () => {
    const desk = new Desk();
    await desk.apply(classifiers);
    const plan = await desk.plan(classifiers.replace('name: Rarity', 'name: Tier'));
    expect(changeOf(plan, 'classifier.rarity').requests[0]?.body).toEqual({ name: 'Tier' });
  });
});

describe('the ways out of what is blocked', () => {
  const removed = ['classifiers: { rarity: [common, rare] }', 'classifiers: { rarity: common }'] as const;
  const shape = { 'itemUpdate.classifierOptionIds': 'by-classifier' } as const;
  const probe = 'let Trove find out what the service does: trove probe -e staging';
  const remediesOf = async (profile: Partial<Profile>) =>
    (await edited(...removed, profile)).changes[0]?.remedies ?? [];

  test('a point that nobody knows can be set or probed', async () => {
    const remedies = await remediesOf(shape);
    expect(remedies).toContain(probe);
    expect(remedies.join()).toContain('set `itemUpdate.assignments: replace`');
  });

  test('one that is known leaves neither, and the reason says what is known', async () => {
    const { changes } = await edited(...removed, { ...shape, 'itemUpdate.assignments': 'merge' });
    expect(changes[0]?.reason).toBe("an assignment can't be removed: an update merges assignments");
    expect(changes[0]?.remedies).toEqual([
      'assign the option again',
      'add `lifecycle: { ignoreChanges: [classifiers] }` to the item',
      expect.stringContaining('--replace item.sword'),
    ]);
  });
});

test('a value that was recorded without the credential in it is not sent back', async () => {
  const desk = new Desk();
  const sword = 'items: { sword: { name: Sword, rollNumerator: 1 } }';
  desk.service.react = (_, honest) => {
    const outcome = honest();
    if (outcome.kind !== 'answered') return outcome;
    return { ...outcome, body: { ...outcome.body, thumbnail: 'https://cdn.example/x.png?sig=[redacted]' } };
  };
  await desk.apply(sword);
  const edited = sword.replace('rollNumerator: 1', 'rollNumerator: 2');
  expect(changeOf(await desk.plan(edited), 'item.sword')).toMatchObject({
    action: 'blocked',
    requests: [],
    reasons: [{ code: 'redacted', paths: ['thumbnail'] }],
  });
  const declared = edited.replace('name: Sword', 'name: Sword, thumbnail: x.png');
  expect(changeOf(await desk.plan(declared), 'item.sword').action).toBe('update');
  const kept = await desk.plan(edited, { 'itemUpdate.omittedThumbnail': 'kept' });
  expect(changeOf(kept, 'item.sword').action).toBe('update');
});
