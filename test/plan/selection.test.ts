import { describe, expect, test } from 'vitest';
import { noOptions } from '../../src/plan/options.ts';
import { formatSavedPlans, parseSavedPlans, savePlan, staleness } from '../../src/plan/saved-plan.ts';
import { unknownAddresses } from '../../src/plan/targets.ts';
import { actionsOf, Desk } from '../rig/desk.ts';
import { unseen } from '../rig/memory-service.ts';

const text = `classifiers:
  rarity: { name: Rarity, options: { rare: { name: Rare, dropRateMultiplier: 1 } } }
  slot: { name: Slot, options: {} }
items:
  sword: { name: Sword, rollNumerator: 40, classifiers: { rarity: rare } }
  torch: { name: Torch, rollNumerator: 1 }
`;

describe('--target', () => {
  test('takes what the target depends on, and nothing else', async () => {
    const plan = await new Desk().plan(text, {}, { targets: ['item.sword'] });
    expect(actionsOf(plan)).toEqual(['create classifier.rarity', 'create item.sword']);
    expect(plan.targets).toEqual(['item.sword']);
  });

  test('leaves what is no longer declared alone, unless it is the target', async () => {
    const desk = await Desk.applied(text);
    const left = text.replace(/ {2}torch.*\n/, '');
    expect(await desk.actions(left, {}, { targets: ['item.sword'] })).toEqual([]);
    expect(await desk.actions(left, {}, { targets: ['item.torch'] })).toEqual(['retire item.torch']);
  });

  test.each([
    ['recorded', (desk: Desk) => desk],
    ['pending', (desk: Desk) => Object.assign(desk.service, { react: unseen })],
  ])('an address that is only %s is a target', async (_, prepare) => {
    const desk = new Desk();
    prepare(desk);
    await desk.apply(text);
    const { catalog } = await desk.inputs('');
    expect(unknownAddresses({ ...noOptions, targets: ['classifier.rarity'] }, catalog, desk.state)).toEqual(
      [],
    );
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
    ['not JSON', 'x', 'it is not JSON'],
    ['another format', '{"savedPlan":2}', 'not a plan that this version of Trove saved'],
    ['a plan without its binding', '{"formatVersion":1}', 'not a plan that this version of Trove saved'],
  ])('%s is refused', (_, content, message) => {
    expect(parseSavedPlans(content, 'p.json')).toMatchObject({
      ok: false,
      diagnostics: [
        { rule: 'invalid-plan-file', subject: 'p.json', message: expect.stringContaining(message) },
      ],
    });
  });

  test('each thing that it is bound to is named when it moved', async () => {
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
    expect(
      staleness(before, elsewhere).map(({ message }) => message.replace(/ (?:was|is not) .*/, '')),
    ).toEqual([
      'the environment file',
      'the catalog',
      'the version of Trove',
      'the environment',
      'the base URL',
      'the team',
      'the lineage of the state',
      'the state, by its serial,',
    ]);
    expect(staleness(before, elsewhere).at(-2)?.message).toContain('was none');
  });

  test('one that was altered is not carried out', async () => {
    const before = await saved();
    const [first, ...rest] = before.plan.changes;
    if (!first) throw new Error('nothing planned');
    const altered = { ...before, plan: { ...before.plan, changes: [{ ...first, remoteId: 'x' }, ...rest] } };
    expect(staleness(altered, before)).toMatchObject([{ rule: 'altered-plan' }]);
  });
});
