import { describe, expect, test } from 'vitest';
import { optionsOfPlan } from '../../src/commands/prepare-plan.ts';
import type { Environment } from '../../src/environment/model.ts';
import { standingGuards } from '../../src/plan/guards.ts';
import { makePlan, type PlanInputs } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/model.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import { guardProblems } from '../../src/render/messages/explain-plan.ts';
import type { State } from '../../src/state/model.ts';
import { Desk } from '../rig/desk.ts';

const two = 'items: { sword: { name: Sword, rollNumerator: 40 }, bow: { name: Bow, rollNumerator: 1 } }';
const sword = 'items: { sword: { name: Sword, rollNumerator: 40 } }';
const embedded = (environment: Environment): Environment => ({
  ...environment,
  service: { kind: 'embedded' },
});
const codes = ({ guards }: Plan) => guards.map(({ code }) => code);
const applied = (text: string) => Desk.applied(text);

test('a plan without a state is refused, unless the environment is new, recovered or embedded', async () => {
  const desk = new Desk();
  const plan = await desk.plan(two);
  expect(plan.guards).toMatchObject([{ code: 'no-state', override: '--new-environment' }]);
  expect(standingGuards(plan, {})).toEqual(plan.guards);
  expect(standingGuards(plan, { newEnvironment: true })).toEqual([]);
  expect(codes(await desk.plan(two, {}, { recover: true }))).toEqual([]);
  expect(codes(await desk.plan(''))).toEqual(['no-state']);
  const { catalog, environment } = await desk.inputs(two);
  expect(codes(makePlan({ catalog, environment: embedded(environment), state: undefined }))).toEqual([]);
});

test('the embedded service and its state are only used together', async () => {
  const desk = await applied(two);
  const { catalog, environment } = await desk.inputs(two);
  const newest = { lineage: 'any', serial: 1 };
  const planned = (inputs: Pick<PlanInputs, 'state' | 'surroundings' | 'recover'>) =>
    codes(makePlan({ catalog, environment: embedded(environment), ...inputs }));
  const withState = { state: desk.state, surroundings: { hasDatabase: false } };
  expect(planned(withState)).toEqual(['database-gone']);
  expect(planned({ ...withState, surroundings: { hasDatabase: true } })).toEqual([]);
  const withoutState = { state: undefined, surroundings: { hasDatabase: true, newest } };
  expect(planned(withoutState)).toEqual(['state-gone']);
  expect(planned({ ...withoutState, recover: true })).toEqual([]);
  expect(planned({ state: undefined, surroundings: { hasDatabase: false, newest } })).toEqual([]);
});

test('a missing state is refused if this machine noted one, unless it is recovered', async () => {
  const { catalog, environment } = await new Desk().inputs(two);
  const surroundings = { newest: { lineage: 'any', serial: 7 } };
  const { guards } = makePlan({ catalog, environment, state: undefined, surroundings });
  expect(guards).toMatchObject([{ code: 'state-gone', serial: 7, override: '--recover' }]);
  expect(codes(makePlan({ catalog, environment, state: undefined, surroundings, recover: true }))).toEqual(
    [],
  );
  expect(codes(makePlan({ catalog, environment, state: undefined }))).toEqual(['no-state']);
});

test('a second environment of one team is refused without a state, or if it creates', async () => {
  const desk = new Desk();
  const { catalog, environment } = await desk.inputs(two);
  const surroundings = { sharedTeams: [{ environment: 'staging', first: 'another' }] };
  const planned = (state: State | undefined) =>
    codes(makePlan({ catalog, environment, state, surroundings }));
  expect(planned(undefined)).toEqual(['no-state', 'shared-team']);
  await desk.apply(two);
  expect(planned(desk.state)).toEqual([]);
  const known = desk.state as State;
  expect(planned({ ...known, entries: known.entries.slice(1) })).toEqual(['shared-team']);
});

test('a plan with an older state is refused, unless it is a recovery', async () => {
  const desk = await applied(two);
  const inputs = { ...(await desk.inputs(two)), state: desk.state };
  const { lineage = '', serial = 0 } = desk.state ?? {};
  const planned = (newest: { lineage: string; serial: number }, planOptions: Partial<PlanOptions> = {}) =>
    codes(makePlan({ ...inputs, surroundings: { newest }, ...planOptions }));
  expect(planned({ lineage, serial })).toEqual([]);
  expect(planned({ lineage, serial: serial + 1 })).toEqual(['older-state']);
  expect(planned({ lineage, serial: serial + 1 }, { recover: true })).toEqual([]);
  expect(planned({ lineage: 'another', serial: serial + 1 })).toEqual([]);
  const recovering = { since: '2026-03-02T08:00:00.000Z', absent: [] };
  const state = { ...desk.state, recovering } as State;
  const surroundings = { newest: { lineage, serial: serial + 1 } };
  const plan = makePlan({ ...inputs, state, surroundings });
  expect(codes(plan)).toEqual(['older-state']);
  const again = makePlan({ ...inputs, state, surroundings, ...optionsOfPlan(plan) });
  expect(codes(again)).toEqual(['older-state']);
});

test('an unrecorded item needs --confirm-new if an import started the state', async () => {
  const desk = await applied(sword);
  if (!desk.state) throw new Error('Nothing was recorded.');
  desk.state = { ...desk.state, partial: { by: 'import', since: '2026-03-02T08:00:00.000Z' } };
  const plan = await desk.plan(two);
  const reason = expect.stringContaining(
    'was started by an import and lacks item.bow, which would be created',
  );
  expect(plan.guards).toMatchObject([{ code: 'partial-state', reason, override: '--new-environment' }]);
  expect(codes(await desk.plan(two, {}, { confirmNew: ['item.bow'] }))).toEqual([]);
  expect(codes(await desk.plan(sword.replace('Sword', 'Blade')))).toEqual([]);
});

describe('a plan with a state of other resources', () => {
  const many = (prefix: string, count = 12) =>
    `items:\n${Array.from({ length: count }, (_, n) => `  ${prefix}-${n}: { name: ${prefix} ${n}, rollNumerator: 1 }\n`).join('')}`;

  const inTwoSteps = '{ from: item.old-3, to: item.mid }, { from: item.mid, to: item.new-3 }';

  test('is refused without --confirm-new', async () => {
    const desk = await applied(many('old'));
    const strange = { code: 'strange-state', declared: 12, recorded: 12, override: '--confirm-new' };
    expect((await desk.plan(many('new'))).guards).toMatchObject([strange]);
    expect(codes(await desk.plan(many('new'), {}, { confirmNew: 'all' }))).toEqual([]);
    const { guards } = await (await applied(many('old', 1))).plan(many('new'));
    expect(guards).toMatchObject([{ recorded: 1 }]);
  });

  test.each([
    ['one of its items is recorded', `${many('new')}  old-3: { name: old 3, rollNumerator: 1 }\n`],
    ['one of its items was moved', `${many('new')}moved: [{ from: item.old-3, to: item.new-3 }]\n`],
    ['one of its items was moved twice', `${many('new')}moved: [${inTwoSteps}]\n`],
    ['it has few items', many('new', 9)],
  ])('is accepted if %s', async (_, text) => {
    expect(codes(await (await applied(many('old'))).plan(text))).toEqual([]);
  });
});

describe('the limits of an environment', () => {
  const exceeded = async (desk: Desk, limits: object) => {
    const { catalog, environment } = await desk.inputs(two);
    const plan = makePlan({ catalog, environment: { ...environment, limits }, state: desk.state });
    return plan.guards.flatMap((guard) =>
      guard.code === 'limit-exceeded' ? [[guard.limit, guard.count, guard.allowed]] : [],
    );
  };

  test('refuse a plan that exceeds them, but not one that reaches them', async () => {
    const desk = new Desk();
    expect(await exceeded(desk, {})).toEqual([]);
    expect(await exceeded(desk, { maxCreates: 2, maxUpdates: 0 })).toEqual([]);
    expect(await exceeded(desk, { maxCreates: 1, maxUpdates: 0 })).toEqual([['maxCreates', 2, 1]]);
  });

  test('count each revival and each update as one update', async () => {
    const desk = await applied(two);
    await desk.apply('');
    expect(await exceeded(desk, { maxUpdates: 1 })).toEqual([['maxUpdates', 2, 1]]);
    await desk.apply(two.replace('rollNumerator: 1 ', 'rollNumerator: 2 '));
    expect(await exceeded(desk, { maxUpdates: 0 })).toEqual([['maxUpdates', 1, 0]]);
  });
});

test('a suggested command keeps the flags of its plan', async () => {
  const desk = new Desk();
  const limited = { targets: ['item.sword'], confirmNew: ['item.sword'] } as const;
  const { guards } = await desk.plan(two, {}, limited);
  const asked = 'trove apply -e staging --target item.sword --confirm-new item.sword';
  expect(guards[0]?.remedies.slice(1)).toEqual([
    `if the state is lost: ${asked} --recover`,
    `for a new environment: ${asked} --new-environment`,
  ]);
  const { remedies } = await desk.change('item.sword', two, {}, { targets: ['item.sword'], recover: true });
  expect(remedies?.[0]).toBe(
    'first begin the recovery: trove apply -e staging --target item.sword --recover',
  );
});

test('a guard becomes a problem of its environment, with every remedy', async () => {
  const { guards } = await new Desk().plan(two);
  const hint = expect.stringMatching(/restore the state from git, or .*; .*--recover; .*--new-environment$/);
  const problem = { severity: 'error', rule: 'no-state', subject: 'environment staging', hint };
  expect(guardProblems(guards, 'staging')).toMatchObject([problem]);
});
