import { describe, expect, test } from 'vitest';
import { noOptions, type PlanOptions, unknownAddresses } from '../../src/plan/options.ts';
import { formatSavedPlans, parseSavedPlans, savePlan, staleness } from '../../src/plan/saved-plan.ts';
import { actionsOf, changeOf, Desk } from '../rig/desk.ts';
import { inWords } from '../rig/in-words.ts';
import { unseen } from '../rig/memory-service.ts';

const text = `classifiers:
  rarity: { name: Rarity, options: { rare: { name: Rare, dropRateMultiplier: 1 } } }
  slot: { name: Slot, options: {} }
items:
  sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: rare } }
  torch: { name: Torch, rollNumerator: 1 }
`;

describe('--target', () => {
  test('includes what the target depends on, and nothing else', async () => {
    const plan = await new Desk().plan(text, {}, { targets: ['item.sword'] });
    expect(actionsOf(plan)).toEqual(['create classifier.rarity', 'create item.sword']);
    expect(plan.targets).toEqual(['item.sword']);
  });

  test('leaves an undeclared resource alone, unless that is the target', async () => {
    const desk = await Desk.applied(text);
    const left = text.replace(/ {2}torch.*\n/, '');
    expect(await desk.actions(left, {}, { targets: ['item.sword'] })).toEqual([]);
    expect(await desk.actions(left, {}, { targets: ['item.torch'] })).toEqual(['retire item.torch']);
  });
});

describe('an address in a flag', () => {
  const two = 'items: { torch: { name: Torch, rollNumerator: 1 }, bow: { name: Bow, rollNumerator: 2 } }\n';
  const moved = `${two.replace('torch:', 'lamp:')}moved: [{ from: item.torch, to: item.lamp }]\n`;
  const less = 'items: { bow: { name: Bow, rollNumerator: 2 } }\n';
  const misspelt = { rule: 'unknown-target', subject: 'item.torhc', hint: 'did you mean item.torch?' };
  const nowLamp = { rule: 'unknown-target', message: '`moved` in the catalog renames it to item.lamp' };

  test.each<[string, string, Partial<PlanOptions>, readonly object[]]>([
    ['can be a target if it is only recorded', '', { targets: ['item.torch'] }, []],
    ['can be replaced if it is new by `moved`', moved, { replace: ['item.lamp'] }, []],
    ['cannot be a target if `moved` renames it', moved, { targets: ['item.torch'] }, [nowLamp]],
    ['cannot be replaced if `moved` renames it', moved, { replace: ['item.torch'] }, [nowLamp]],
    ['cannot be reasserted if `moved` renames it', moved, { reassert: ['item.torch'] }, [nowLamp]],
    ['cannot be confirmed as new if `moved` renames it', moved, { confirmNew: ['item.torch'] }, [nowLamp]],
    ['gets the nearest one suggested if it is misspelled', two, { targets: ['item.torhc'] }, [misspelt]],
    [
      'cannot be replaced if it is not declared',
      less,
      { replace: ['item.torch'] },
      [{ rule: 'nothing-to-replace' }],
    ],
  ])('%s', async (_, edited, named, problems) => {
    const desk = await Desk.applied(two);
    const { catalog } = await desk.inputs(edited);
    expect(inWords(unknownAddresses({ ...noOptions, ...named }, catalog, desk.state))).toMatchObject(
      problems,
    );
  });

  test('can be a target if its create is pending', async () => {
    const desk = new Desk();
    desk.service.react = unseen;
    await desk.apply(text);
    const { catalog } = await desk.inputs('');
    const named = { ...noOptions, targets: ['classifier.rarity'] } as const;
    expect(unknownAddresses(named, catalog, desk.state)).toEqual([]);
  });
});

describe('--reassert', () => {
  const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';

  test('rewrites all unchanged resources or the named ones, even beside the targets', async () => {
    const desk = await Desk.applied(text);
    const named = { reassert: ['item.sword'], targets: ['item.torch'] } as const;
    expect(await desk.actions(text, {}, named)).toEqual(['reassert item.sword']);
    const { plan, report } = await desk.apply(text, {}, { reassert: 'all' });
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['reassert']));
    expect(plan).toMatchObject({ reassert: 'all', summary: { reassert: 4, unchanged: 0 } });
    expect(changeOf(plan, 'item.torch').requests).toMatchObject([
      { method: 'PUT', body: { name: 'Torch', rollNumerator: 1, attributes: [] } },
    ]);
    expect(report.results.map(({ result }) => result)).toEqual(Array(4).fill('applied'));
  });

  test('undoes edits that were made elsewhere', async () => {
    const desk = await Desk.applied(sword);
    const [item] = desk.service.items.values();
    if (item) desk.service.items.set(item.id, { ...item, name: 'Edited elsewhere' });
    await desk.apply(sword, {}, { reassert: ['item.sword'] });
    expect([...desk.service.items.values()]).toMatchObject([{ name: 'Sword' }]);
  });

  test('sends a diverged value again, and ends the divergence if it is taken', async () => {
    const desk = new Desk();
    desk.service.answerWith({ name: 'SWORD' });
    await desk.apply(sword);
    expect(await desk.change('item.sword', sword)).toMatchObject({ action: 'unchanged', requests: [] });
    desk.service.react = (_, honest) => honest();
    const { plan } = await desk.apply(sword, {}, { reassert: 'all' });
    const fields = [{ path: 'name', before: 'SWORD', after: 'Sword' }];
    expect(changeOf(plan, 'item.sword')).toMatchObject({ action: 'reassert', fields });
    expect(desk.recorded.live['item.sword']).toMatchObject({ confidence: 'verified' });
    expect(await desk.actions(sword)).toEqual([]);
  });
});

describe('a saved plan', () => {
  async function saved(desk = new Desk(), catalog = text) {
    const { environment } = await desk.inputs(catalog);
    return savePlan(await desk.plan(catalog), environment, '1.2.3');
  }

  test('reads back as it was written, for every action', async () => {
    const desk = await Desk.applied(text);
    await desk.apply(text.replace(/ {2}torch.*\n/, ''));
    const edited = text
      .replace('Multiplier: 1', 'Multiplier: 2')
      .replace('name: Rarity', 'name: Tier')
      .replace('sword: { name: Sword', 'blade: { name: Blade');
    const before = await saved(desk, edited);
    expect(new Set(before.plan.changes.map(({ action }) => action))).toEqual(
      new Set(['blocked', 'update', 'create', 'revive', 'retire']),
    );
    const read = parseSavedPlans(formatSavedPlans([before]), 'p.json');
    expect(read).toMatchObject({ ok: true, value: [JSON.parse(JSON.stringify(before))] });
    const [again] = read.ok ? read.value : [];
    expect(again && staleness(again, await saved(desk, edited))).toEqual([]);
  });

  test.each([
    ['is not JSON', 'x', 'not-json'],
    ['is nested too deep to be parsed', '['.repeat(1_000_000), 'other-form'],
    ['has another format', '{"savedPlan":2}', 'other-form'],
    ['lacks its binding', '{"formatVersion":1}', 'other-form'],
  ])('is refused if it %s', (_, content, why) => {
    const problem = { rule: 'invalid-plan-file', subject: 'p.json', values: { why } };
    expect(parseSavedPlans(content, 'p.json')).toMatchObject({ ok: false, diagnostics: [problem] });
  });

  test('names each of its inputs that has changed', async () => {
    const before = await saved();
    const { plan } = before;
    const elsewhere = {
      savedPlan: 1,
      troveVersion: '1.2.4',
      environmentDigest: 'sha256:1',
      plan: {
        ...plan,
        environment: 'other',
        target: { baseUrl: 'https://other.example/api', teamId: 'team_8' },
        catalog: { digest: 'sha256:2' },
        state: { lineage: 'b', serial: 9 },
      },
    } as const;
    const messages = inWords(staleness(before, elsewhere)).map(({ message }) => message);
    expect(messages.map((message) => message.replace(/ has changed .*|^the /g, '')).join()).toBe(
      'environment file,catalog,version of Trove,environment,base URL,team,lineage of the state',
    );
    expect(messages.at(-1)).toContain('(none, now b)');
    const later = { ...before, plan: { ...plan, state: { ...plan.state, serial: 9 } } };
    expect(inWords(staleness(before, later)).map(({ message }) => message)).toEqual([
      'the state has changed since the plan was saved (serial 0, now 9)',
    ]);
  });

  test('is refused if it was altered', async () => {
    const before = await saved();
    const [first, ...rest] = before.plan.changes;
    if (!first) throw new Error('nothing planned');
    const altered = { ...before, plan: { ...before.plan, changes: [{ ...first, remoteId: 'x' }, ...rest] } };
    expect(staleness(altered, before)).toMatchObject([{ rule: 'altered-plan' }]);
    // A journal that was replayed since looks the same, and is the likelier cause.
    const [stale] = inWords(staleness(altered, before, true));
    expect(stale).toMatchObject({
      rule: 'stale-plan',
      message: expect.stringContaining('an interrupted run'),
    });
    expect(staleness(before, before, true)).toEqual([]);
  });
});
