import { describe, expect, test } from 'vitest';
import type { WireItem } from '../../src/contract/api.ts';
import { stoppedText } from '../../src/render/terminal.ts';
import { entriesOf } from '../../src/state/entries.ts';
import { formatState, parseState } from '../../src/state/format.ts';
import { newState, type State } from '../../src/state/model.ts';
import { changeOf, Desk, now, target } from '../rig/desk.ts';
import { otherwise, refused, unseen } from '../rig/memory-service.ts';

const text = `attributes: { damage: {} }
classifiers:
  rarity: { name: Rarity, options: { rare: { name: Rare, dropRateMultiplier: 1 } } }
items:
  sword:
    name: Sword
    rollNumerator: 40
    thumbnail: a.png
    classifiers: { rarity: rare }
    attributes: { damage: { min: 1, max: 2 } }
`;

/** An apply whose item responses are changed on their way. */
async function answered(change: (item: WireItem) => Partial<WireItem>, catalog = text) {
  const desk = new Desk();
  desk.service.react = ({ kind }, honest) => (kind === 'classifier' ? honest() : otherwise(honest(), change));
  const { report } = await desk.apply(catalog);
  const result = report.results.find(({ address }) => address === 'item.sword');
  return { desk, result, record: desk.recorded.live['item.sword'] };
}

describe('an update that returns another record', () => {
  const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';

  async function imported(): Promise<Desk> {
    const desk = new Desk();
    desk.record({ type: 'imported', address: 'item.sword', id: 'given', at: now });
    desk.service.answerWith({ id: 'made-up' });
    desk.service.items.set('given', { id: 'given', classifiers: [] as WireItem['classifiers'] } as WireItem);
    return desk;
  }

  async function retired(): Promise<Desk> {
    const desk = await Desk.applied([sword, '']);
    desk.service.answerWith({ id: 'made-up' });
    return desk;
  }

  test.each([
    ['imported', imported],
    ['retired', retired],
  ] as const)('keeps that ID, even after a refusal, if its own record is %s', async (status, begin) => {
    const desk = await begin();
    const again = { reassert: ['item.sword'] } as const;
    const { report } = await desk.apply(sword);
    expect(report.results).toMatchObject([{ result: 'unknown' }]);
    const kept = { unconfirmed: { reason: expect.stringContaining('made-up') } };
    expect(entriesOf(desk.state).find(status, 'item.sword')).toMatchObject(kept);
    const stopped = stoppedText(entriesOf(desk.state), [], [], ' -e staging');
    expect(stopped).toContain('1 outcome is unknown: item.sword');
    expect(stopped).toContain('run it again: trove apply -e staging');
    desk.service.react = unseen;
    for (let times = 0; times < 2; times += 1) await desk.apply(sword, {}, again);
    const { unconfirmed } = entriesOf(desk.state).record('item.sword') ?? {};
    expect(unconfirmed?.reason?.match(/made-up/g)).toHaveLength(1);
    desk.service.react = () => refused(400);
    const still = await desk.apply(sword, {}, again);
    expect(still.report.results).toMatchObject([{ result: 'unknown' }]);
    desk.service.react = () => refused(404);
    const last = await desk.apply(sword, {}, again);
    expect(last.report.results).toMatchObject([{ result: 'unknown' }]);
    expect(entriesOf(desk.state).find(status, 'item.sword')).toMatchObject(kept);
    desk.service.react = (_, honest) => honest();
    await desk.apply(sword, {}, again);
    expect(JSON.stringify(desk.state)).not.toContain('unconfirmed');
  });
});

describe('a response', () => {
  test('that repeats the request is verified, with the IDs that were sent', async () => {
    const { desk, result, record } = await answered(() => ({}));
    expect(result).toMatchObject({ result: 'applied', fields: [] });
    expect(record).toMatchObject({
      confidence: 'verified',
      sent: { body: { classifierOptionIds: ['c1-o1'] } },
    });
    expect(record?.diverged).toBeUndefined();
    expect(desk.recorded.live['classifier.rarity']?.options).toEqual({ rare: 'c1-o1' });
  });

  test.each<[string, (item: WireItem) => Partial<WireItem>, string, unknown, unknown]>([
    ['a shortened name', () => ({ name: 'Swo' }), 'name', 'Swo', 'Sword'],
    ['a changed number', () => ({ rollNumerator: 41 }), 'rollNumerator', 41, 40],
    ['a dropped thumbnail', () => ({ thumbnail: null }), 'thumbnail', null, 'a.png'],
    ['an ignored assignment', () => ({ classifiers: [] }), 'classifiers.rarity', null, ['rare']],
    ['an ignored range', () => ({ attributes: [] }), 'attributes.damage', null, { min: 1, max: 2 }],
  ])(
    'with %s is reported with both values, recorded, and not sent again',
    async (_, change, path, before, after) => {
      const { desk, result, record } = await answered(change);
      expect(result).toMatchObject({ result: 'diverged', fields: [{ path, before, after, diverged: true }] });
      expect(record).toMatchObject({ confidence: 'diverged', diverged: { [path]: after } });
      const plan = await desk.plan(text, { 'itemUpdate.classifierOptionIds': 'by-index' });
      expect(plan.summary).toMatchObject({ update: 0, diverged: 1, unchanged: 2 });
      expect(plan.changes.flatMap(({ requests }) => requests)).toEqual([]);
    },
  );

  test('may contain any value that the catalog does not manage', async () => {
    const unmanaged = text
      .replace('    thumbnail: a.png\n', '')
      .replace(/ {4}classifiers: \{ rarity: rare \}\n/, '');
    const { result } = await answered(() => ({ thumbnail: 'default.png' }), unmanaged);
    expect(result).toMatchObject({ result: 'applied' });
  });

  test('with a value that the service added is reported too', async () => {
    const extra = { id: 'x', itemId: 'x', attributeId: 'attr_02', min: 0, max: 1 };
    const { result } = await answered(({ attributes }) => ({ attributes: [...attributes, extra] }));
    expect(result).toMatchObject({
      fields: [{ path: 'attributes.attr_02', before: { min: 0, max: 1 }, after: null }],
    });
  });

  test('ends a divergence once the service takes the value', async () => {
    const { desk } = await answered(() => ({ name: 'Swo' }));
    desk.service.react = (_, honest) => honest();
    const edited = text.replace('rollNumerator: 40', 'rollNumerator: 50');
    await desk.apply(edited);
    expect(desk.recorded.live['item.sword']).toMatchObject({ confidence: 'verified' });
    expect(desk.recorded.live['item.sword']?.diverged).toBeUndefined();
    expect((await desk.plan(edited)).changes).toEqual([]);
  });
});

describe('an update of a classifier', () => {
  const declared =
    'options: { common: { name: Common, dropRateMultiplier: 1 }, rare: { name: Rare, dropRateMultiplier: 1 } }';
  const text = `classifiers: { day: { name: Day, ${declared} }, night: { name: Night, ${declared} } }
items: { sword: { name: Sword, rollNumerator: 1, classifiers: { day: rare } } }`;
  const edited = text.replace('Day', 'Daytime');
  const shown = (...options: readonly [name: string, id: string][]) => ({
    classifierOptions: options.map(([name, id]) => ({
      id,
      name,
      dropRateMultiplier: 1,
      classifierId: id.split('-')[0],
    })),
  });
  const [common, rare, other] = [
    ['Common', 'c1-o1'],
    ['Rare', 'c1-o2'],
    ['Other', 'c1-o3'],
  ] as const;

  test.each<[string, object, string]>([
    ['leaves its options out', shown(), 'diverged'],
    ['leaves out only what is not declared', shown([...common], [...rare]), 'applied'],
    ['has one ID twice', shown(['Common', 'c1-o2'], ['Rare', 'c1-o2']), 'diverged'],
    ['has other IDs', shown(['Common', 'c1-n1'], ['Rare', 'c1-n2']), 'diverged'],
  ])('whose response %s loses no ID', async (_, answer, result) => {
    const desk = await Desk.applied(text);
    desk.service.answerWith(shown([...common], [...rare], [...other]));
    await desk.apply(text, {}, { reassert: ['classifier.day'] });
    desk.service.answerWith(answer);
    const { report } = await desk.apply(edited);
    expect(report.results).toMatchObject([{ result }]);
    const record = desk.recorded.live['classifier.day'];
    expect(record?.options).toMatchObject({ common: 'c1-o1', rare: 'c1-o2' });
    for (const id of JSON.stringify(answer).match(/c1-\w+/g) ?? [])
      expect(JSON.stringify(record)).toContain(id);
    expect(JSON.stringify(record)).toContain('c1-o3');
    expect((await desk.plan(edited)).changes.flatMap(({ requests }) => requests)).toEqual([]);
  });

  test('keeps an option ID that is no catalog key in a state that can be read', async () => {
    const desk = await Desk.applied(text);
    desk.service.answerWith(shown([...common], [...rare], ['Other', 'c1-O3']));
    await desk.apply(text, {}, { reassert: ['classifier.day'] });
    desk.service.answerWith(shown([...common], [...rare]));
    await desk.apply(edited);
    expect(JSON.stringify(desk.recorded.live['classifier.day']?.options)).toContain('c1-O3');
    expect(parseState(formatState(desk.state as State), 'state')).toMatchObject({ ok: true });
  });

  test.each([
    ['live', text],
    ['retired', text.replace(/, night: .*/, ' }')],
  ])('whose response has the options of a %s one is unknown, and takes none of them', async (_, before) => {
    const desk = await Desk.applied([text, before]);
    const record = desk.recorded.live['classifier.day'];
    desk.service.answerWith(shown(['Common', 'c2-o1'], ['Rare', 'c2-o2']));
    const { report } = await desk.apply(before.replace('Day', 'Daytime'));
    expect(report.results).toMatchObject([{ result: 'unknown', reasons: [{ code: 'other-owner' }] }]);
    expect(desk.recorded.live['classifier.day']).toMatchObject({ ...record, unconfirmed: {} });
  });

  test('sends the options that a response left out, where updates replace them', async () => {
    const replaced = { 'classifierUpdate.options': 'replace' } as const;
    const desk = await Desk.applied(text);
    desk.service.answerWith(shown());
    await desk.apply(edited, replaced);
    const plan = await desk.plan(edited.replace('Daytime', 'Day'), replaced);
    const [update] = changeOf(plan, 'classifier.day').requests;
    expect(update?.body.classifierOptions).toMatchObject([{ name: 'Common' }, { name: 'Rare' }]);
  });
});

test('an item is not sent before it has every ID that it refers to', async () => {
  const desk = new Desk();
  desk.service.answerWith({ classifierOptions: [] });
  const { report } = await desk.apply(text);
  expect(report.results).toMatchObject([
    { address: 'classifier.rarity', result: 'diverged' },
    {
      address: 'item.sword',
      result: 'not-started',
      reasons: [{ code: 'no-id-answered', address: 'classifier.rarity.rare' }],
    },
  ]);
  expect(desk.service.received).toHaveLength(1);
});

test('an item and a classifier may have the same ID, since their paths differ', async () => {
  const desk = new Desk();
  desk.service.answerWith({ id: '1' });
  const { report } = await desk.apply(`classifiers: { rarity: { name: Rarity, options: {} } }
items: { sword: { name: Sword, rollNumerator: 1 } }
`);
  expect(report.results.map(({ result, remoteId }) => [result, remoteId])).toEqual([
    ['applied', '1'],
    ['applied', '1'],
  ]);
  expect(parseState(formatState(desk.state ?? newState({ lineage: 'x', target })), 'state.json').ok).toBe(
    true,
  );
});
