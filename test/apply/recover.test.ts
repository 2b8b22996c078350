import { describe, expect, test } from 'vitest';
import { applyExitCode } from '../../src/commands/apply-attempt.ts';
import type { WireItem } from '../../src/contract/api.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { defaultCredentials } from '../../src/environment/credentials.ts';
import { uuid5 } from '../../src/environment/defaults.ts';
import { clientIds } from '../../src/plan/client-id.ts';
import { probeItem } from '../../src/probe/records.ts';
import { renderApplyText } from '../../src/render/apply-text.ts';
import { explainReport } from '../../src/render/messages/explain-plan.ts';
import { entriesOf } from '../../src/state/entries.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { actionsOf, changeOf, Desk, namespace } from '../rig/desk.ts';
import { answered, otherwise, refused, serviceError, unseen } from '../rig/memory-service.ts';
import { answered as answeredItem, intent, itemRecord } from '../state/events.ts';

const profile = { 'itemCreate.clientId': 'honoured', 'update.unknownId': 'rejected' } as const;
const item = (key: string, name: string) => `  ${key}: { name: ${name}, rollNumerator: 1 }\n`;
const sword = item('sword', 'Sword');
const torch = item('torch', 'Torch');
const rarity =
  'classifiers: { rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 } } } }\n';
const recover = { recover: true } as const;
const bow = item('bow', 'Bow');
const text = `items:\n${sword}${torch}`;
const changed = text.replace('name: Sword', 'name: Blade');
const other = '11111111-1111-4111-8111-111111111111';
const at = '2026-03-01T12:00:00.000Z';
const created = { ...profile, 'update.unknownId': 'created' } as const;

/** The state of everything in `text` was lost, and the service still has it. */
async function lost(text: string): Promise<Desk> {
  const desk = new Desk({ profile });
  await desk.apply(text);
  desk.state = undefined;
  return desk;
}

const posts = (desk: Desk) => desk.service.received.filter(({ request }) => request.method === 'POST').length;

describe('a recovery', () => {
  const moved = `items:\n${item('lamp', 'Torch')}moved: [{ from: item.torch, to: item.lamp }]\n`;

  test.each([
    ['is temporary', refused(429, { transient: true })],
    ['differs from the others', refused(422)],
  ])('creates nothing after a refusal that %s', async (_, refusal) => {
    const desk = await lost(`items:\n${sword}${torch}`);
    const id = uuid5(namespace, 'torch');
    desk.service.react = ({ request }, honest) => (request.path.endsWith(id) ? refusal : honest());
    const { report } = await desk.apply(moved.replace('items:\n', `items:\n${sword}`), {}, recover);
    expect(report.results).toMatchObject([
      { address: 'item.lamp', result: 'failed' },
      { address: 'item.sword', result: 'applied' },
    ]);
    expect(posts(desk)).toBe(2);
    expect(desk.service.items.size).toBe(2);
  });
});

describe('an update that creates another record', () => {
  const made = async (answer: (id: string) => object | undefined) => {
    const desk = new Desk({ profile });
    let number = 0;
    desk.service.react = ({ request: { body } }) => {
      const id = `own-${++number}`;
      const wire = { ...itemRecord(id).answer, name: String(body.name) };
      const otherwise = answer(id);
      if (!otherwise) return answered(wire);
      return { kind: 'unseen', error: { ...serviceError, ...otherwise, outcome: 'unseen' } };
    };
    const { report } = await desk.apply(text, {}, recover);
    return { desk, report };
  };

  test.each([
    ['a readable response', () => undefined, { answer: { id: 'own-1' } }],
    [
      'an unreadable response',
      (otherId: string) => ({ reason: 'unreadable', otherId }),
      { otherId: 'own-1' },
    ],
  ])('is not resent after %s, and its ID is kept', async (_, answer, kept) => {
    const { desk, report } = await made(answer);
    expect(report).toMatchObject({
      halt: { kind: 'other-id', method: 'PUT', answered: 'own-1' },
      results: [{ address: 'item.sword', result: 'unknown', action: 'create' }, { result: 'not-started' }],
    });
    const [{ request } = {}] = desk.service.received;
    expect(desk.recorded.pending).toMatchObject([{ address: 'item.sword', request, ...kept }]);
    await desk.apply(text, {}, recover);
    await desk.apply(text, {}, recover);
    expect(desk.service.received.map(({ request }) => request.body.name)).toEqual(['Sword', 'Torch']);
  });

  test.each([
    ['existing', (desk: Desk) => desk.apply(text)],
    [
      'imported',
      (desk: Desk) => {
        desk.service.items.set('there', itemRecord('there').answer as WireItem);
        desk.record({ type: 'imported', address: 'item.sword', id: 'there', at });
      },
    ],
  ])('is sent once for an %s record, and again with --reassert', async (_, prepare) => {
    const desk = new Desk({ profile });
    await prepare(desk);
    const { id } = entriesOf(desk.state).record('item.sword') ?? {};
    const sent = () => desk.service.received.filter(({ request }) => request.body.name === 'Blade').length;
    desk.service.react = ({ request }, honest) =>
      request.method === 'PUT' ? otherwise(honest(), () => ({ id: `own-${sent()}` })) : honest();
    const { report } = await desk.apply(changed);
    expect(report).toMatchObject({ halt: { kind: 'other-id', method: 'PUT', answered: 'own-1' } });
    const { report: second } = await desk.apply(changed);
    const waiting = second.results.find(({ address }) => address === 'item.sword');
    expect([waiting, sent()]).toMatchObject([{ result: 'unknown', remoteId: id }, 1]);
    const all = await desk.plan(changed, {}, { reassert: 'all' });
    expect(changeOf(all, 'item.sword').reasons).toMatchObject([
      { code: 'other-record', answered: 'own-1' },
      { code: 'update-unseen' },
    ]);
    desk.service.react = (_, honest) => honest();
    await desk.apply(changed, {}, { reassert: ['item.sword'] });
    expect(sent()).toBe(2);
    expect((await desk.plan(changed)).summary).toMatchObject({ unknown: 0 });
  });

  test.each<[string, string, StateEvent[], string[]]>([
    ['it, or to send the update again', changed, [], ['forget', 'reassert']],
    ['a pending create first', changed, [intent('item.bow', 'made-up')], ['resolve', 'reassert']],
    [
      'no import before a rename is recorded',
      `${changed.replace('sword:', 'blade:')}moved: [{ from: item.sword, to: item.blade }]\n`,
      [],
      ['reassert'],
    ],
    ['nothing, once another address has it', changed, [answeredItem('item.bow', 'own-1')], []],
  ])('leaves it to a person to take over or settle %s', async (_, catalog, events, words) => {
    const desk = new Desk({ profile });
    await desk.apply(text);
    desk.service.react = (_, honest) => otherwise(honest(), () => ({ id: 'own-1' }));
    await desk.apply(changed);
    desk.record(...events);
    const change = (await desk.plan(catalog)).changes.find(
      ({ remoteId }) => remoteId === uuid5(namespace, 'sword'),
    );
    const steps = change?.action === 'unknown' ? (change.remedies ?? []) : [];
    expect(steps.map((step) => /forget|resolve|reassert/.exec(step)?.[0])).toEqual(words);
  });

  test('may have made the record of a create that is answered with its ID', async () => {
    const desk = new Desk({ profile: { 'itemCreate.clientId': 'ignored' } });
    await desk.apply(text);
    desk.service.react = (_, honest) => otherwise(honest(), () => ({ id: 'own-1' }));
    await desk.apply(changed);
    await desk.apply(`${changed}${bow}`);
    expect(desk.recorded.live['item.bow']?.id).toBe('own-1');
  });

  test('is not assumed if no response arrives, and the next run looks again', async () => {
    const desk = new Desk({ profile });
    desk.service.react = () => unseen();
    const { report } = await desk.apply(text, {}, recover);
    expect(report.results[0]).toMatchObject({ result: 'unknown', reasons: [{ code: 'look-again' }] });
    expect(desk.recorded.pending).toEqual([]);
  });
});

describe('an ID that another address has', () => {
  test('is not looked for, since that would overwrite its record', async () => {
    const desk = new Desk({ profile });
    await desk.apply(`items:\n${sword}${torch}`);
    await desk.apply(
      `items:\n${sword}${item('lamp', 'Torch')}moved: [{ from: item.torch, to: item.lamp }]\n`,
    );
    const text = `items:\n${sword}${item('lamp', 'Torch')}${item('torch', 'Other')}`;
    const { report } = await desk.apply(text, {}, recover);
    const { live } = desk.recorded;
    // A missing item that was created is not reported as adopted.
    expect(report.results).toContainEqual(
      expect.objectContaining({ action: 'create', address: 'item.torch' }),
    );
    expect(desk.service.items.get(live['item.lamp']?.id ?? '')?.name).toBe('Torch');
    expect(live['item.torch']?.id).toBe(uuid5(namespace, 'torch#2'));
  });
});

describe('a recovery by derived IDs', () => {
  test('creates nothing without --confirm-new if it finds nothing', async () => {
    const desk = await lost(text);
    desk.service.react = ({ request }, honest) => (request.method === 'PUT' ? refused(404) : honest());
    const { report } = await desk.apply(text, {}, recover);
    expect(report.results).toMatchObject([
      { result: 'not-started', reasons: [{ code: 'nothing-found' }] },
      { result: 'not-started' },
    ]);
    await desk.apply(text);
    expect(posts(desk)).toBe(2);
    const confirmed = await desk.plan(text, {}, { confirmNew: ['item.sword'] });
    expect(changeOf(confirmed, 'item.sword').action).toBe('create');
  });

  test('creates a missing item in the same run that finds another', async () => {
    const desk = await lost(`items:\n${torch}`);
    const { report } = await desk.apply(`items:\n${sword}${torch}`, {}, recover);
    expect(report.results).toMatchObject([{ result: 'applied' }, { result: 'applied' }]);
    expect(posts(desk)).toBe(2);
  });
});

describe('an unfinished recovery', () => {
  test('continues in later runs, without creates, until every record is known', async () => {
    const text = `${rarity}items:\n${torch}`;
    const desk = await lost(text);
    await desk.apply(text, {}, recover);
    expect(desk.state?.recovering).toBeDefined();
    expect(await desk.actions(text)).toEqual(['blocked classifier.rarity']);
    await desk.apply(text);
    expect(posts(desk)).toBe(2);
    desk.record({ type: 'imported', address: 'classifier.rarity', id: 'c1', at });
    await desk.apply(text);
    expect(desk.state?.recovering).toBeUndefined();
    expect(await desk.actions(`${text}${sword}`)).toEqual(['create item.sword']);
  });
});

test('a missing item that cannot be created is not looked for again', async () => {
  const ignoring = 'rarity: { name: Rarity, lifecycle: { ignoreChanges: [options] }, options: { ';
  const options = 'common: { name: Common, dropRateMultiplier: 1 } } }\n';
  const more = options.replace('common', 'rare: { name: Rare, dropRateMultiplier: 2 }, common');
  const desk = await lost(`classifiers:\n  ${ignoring}${options}items:\n${torch}`);
  desk.record({ type: 'imported', address: 'classifier.rarity', id: 'c1', at });
  await desk.apply(`classifiers:\n  ${ignoring}${options}`, {}, recover);
  const bow = '  bow: { id: my-bow, name: Bow, rollNumerator: 1, classifiers: { rarity: rare } }\n';
  const text = `classifiers:\n  ${ignoring}${more}items:\n${bow}${torch}`;
  const { report } = await desk.apply(text, {}, recover);
  expect(report.results).toMatchObject([{ result: 'blocked' }, { result: 'applied' }]);
  expect(desk.state?.recovering).toBeUndefined();
  expect(await desk.actions(text)).toEqual(['blocked item.bow']);
});

test('a missing item waits for its blocked classifier in this run and the next', async () => {
  const desk = await lost(`${rarity}items:\n${torch}`);
  const needy = bow.replace('1 }', '1, classifiers: { rarity: common } }');
  const text = `${rarity}items:\n${torch}${needy}`;
  expect(await desk.actions(text, {}, recover)).toEqual([
    'blocked classifier.rarity',
    'adopt item.bow',
    'adopt item.torch',
  ]);
  const { report } = await desk.apply(text, {}, recover);
  const explained = explainReport(report);
  const depends = { code: 'waits-for-classifiers' };
  expect(explained.results).toMatchObject([
    { result: 'blocked' },
    { address: 'item.bow', result: 'waiting', reasons: [{ code: 'not-found' }, depends] },
    { result: 'applied' },
  ]);
  expect(applyExitCode(explained, true)).toBe(3);
  const shown = renderApplyText(explained, false, { credentials: defaultCredentials, flags: '' });
  expect(shown).toContain(`waiting    item.bow
  no record was found under its declared or derived ID
  depends on classifier.rarity (blocked)
`);
  expect(await desk.actions(text)).toEqual(['blocked classifier.rarity', 'waiting item.bow']);
});

test('the replacement of a recovered item does not request the ID of an earlier record', async () => {
  const text = `items:\n${torch}`;
  const desk = new Desk({ profile });
  await desk.apply(text);
  await desk.apply(text, {}, { replace: ['item.torch'] });
  desk.state = undefined;
  await desk.apply(text, {}, recover);
  const plan = await desk.plan(text, {}, { replace: ['item.torch'] });
  expect(changeOf(plan, 'item.torch').requests[0]?.body.id).toBe(uuid5(namespace, 'torch#3'));
});

test('Ctrl-C during the search for an item leaves it to the next run', async () => {
  const desk = new Desk({ profile });
  desk.service.react = () => {
    desk.stop.abort();
    return refused(404);
  };
  const { report } = await desk.apply(`items:\n${torch}`, {}, recover);
  expect(report).toMatchObject({ halt: { kind: 'interrupted' }, results: [{ result: 'not-started' }] });
});

test('an item that looks like an undeclared one is looked for, but not created', async () => {
  const desk = new Desk({ profile });
  await desk.apply(`items:\n${torch}`);
  const { report } = await desk.apply(`items:\n${item('lamp', 'Torch')}`, {}, recover);
  expect(report.results).toMatchObject([
    {
      address: 'item.lamp',
      result: 'blocked',
      reasons: [{ code: 'not-found' }, { code: 'possible-rename', from: 'item.torch' }],
    },
    { address: 'item.torch', result: 'blocked' },
  ]);
  expect(posts(desk)).toBe(1);
});

/** What `text` declares is in the service and its state is lost; from now on, IDs are derived from `idNamespace`. */
async function lostElsewhere(settings: Partial<Profile>, idNamespace?: string): Promise<Desk> {
  const before = new Desk({ profile: settings });
  await before.apply(text);
  const desk = new Desk({ profile: settings, ...(idNamespace !== undefined && { idNamespace }) });
  for (const [id, answer] of before.service.items) desk.service.items.set(id, answer);
  return desk;
}

const namesIn = (desk: Desk) => [...desk.service.items.values()].map(({ name }) => name).sort();
const idOf = (desk: Desk, name: string) =>
  [...desk.service.items.values()].find((each) => each.name === name)?.id ?? '';

describe('a wrong idNamespace', () => {
  test('is not confirmed by a new item that was created with it', async () => {
    const desk = await lostElsewhere(profile, other);
    const more = `${text}${bow}`;
    await desk.apply(more, {}, recover);
    await desk.apply(more, {}, { confirmNew: ['item.bow'] });
    expect(desk.recorded.live).toHaveProperty(['item.bow']);
    await desk.apply(more);
    await desk.apply(more.replace('Bow', 'Longbow'));
    await desk.apply(more);
    expect(namesIn(desk)).toEqual(['Bow', 'Sword', 'Torch']);
  });

  test('is not confirmed by an interrupted probe', async () => {
    const desk = await lostElsewhere(profile, other);
    desk.record(answeredItem(probeItem, 'whatever'));
    const probed = desk.recorded.live[probeItem];
    if (!probed) throw new Error('it was just recorded');
    const { environment } = await desk.inputs(text);
    const id = clientIds({ ...environment, idNamespace: other }, undefined).derived('trove-probe-a');
    desk.state = undefined;
    desk.record({ type: 'answered', address: probeItem, record: { ...probed, id } });
    await desk.apply(text, {}, recover);
    expect(desk.service.items.size).toBe(2);
  });
});

test('an item found by its declared ID does not confirm the namespace', async () => {
  const desk = await lostElsewhere(profile, other);
  const own = '  lamp: { id: my-lamp, name: Lamp, rollNumerator: 1 }\n';
  const spare = '  axe: { id: my-axe, name: Axe, rollNumerator: 1 }\n';
  const lamp = new Desk({ profile });
  await lamp.apply(`items:\n${own}`);
  for (const [id, answer] of lamp.service.items) desk.service.items.set(id, answer);
  await desk.apply(`${text}${own}${spare}`, {}, recover);
  expect(namesIn(desk)).toEqual(['Axe', 'Lamp', 'Sword', 'Torch']);
});

describe('a recovery in which an update may create', () => {
  test.each([
    ['it creates', created],
    ['unknown', { 'itemCreate.clientId': 'honoured' } as const],
  ])('looks for nothing before an ID confirms the namespace (%s)', async (_, profile) => {
    const desk = await lostElsewhere(profile, other);
    const plan = await desk.plan(text, {}, recover);
    expect(actionsOf(plan)).toEqual(['blocked item.sword', 'blocked item.torch']);
    expect(changeOf(plan, 'item.sword')).toMatchObject({ reason: expect.stringContaining('idNamespace') });
    await desk.apply(text, {}, recover);
    desk.record({ type: 'imported', address: 'item.sword', id: idOf(desk, 'Sword'), at });
    await desk.apply(text);
    expect(await desk.actions(text)).toEqual(['blocked item.torch']);
    expect(desk.service.items.size).toBe(2);
  });

  test('looks for the others once an imported ID confirms the namespace', async () => {
    const desk = await lostElsewhere(created);
    await desk.apply(text, {}, recover);
    desk.record({ type: 'imported', address: 'item.sword', id: idOf(desk, 'Sword'), at });
    expect(await desk.actions(text)).toEqual(['adopt item.sword', 'adopt item.torch']);
    await desk.apply(text, {}, { targets: ['item.sword'] });
    expect(await desk.actions(text)).toEqual(['adopt item.torch']);
    await desk.apply(text);
    expect(desk.state?.recovering).toBeUndefined();
    expect(desk.service.items.size).toBe(2);
  });

  test('looks for a declared ID without a confirmed namespace', async () => {
    const desk = new Desk({ profile: created });
    const declared = 'items:\n  sword: { id: my-sword, name: Sword, rollNumerator: 1 }\n';
    expect(await desk.actions(declared, {}, recover)).toEqual(['adopt item.sword']);
  });
});
