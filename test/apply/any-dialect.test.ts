import { expect, test } from 'vitest';
import type { Address } from '../../src/catalog/model.ts';
import { type Profile, unknownProfile } from '../../src/contract/profile.ts';
import type { Plan } from '../../src/plan/model.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import { type Dialect, dialectPoints } from '../../src/service/dialect.ts';
import type { State } from '../../src/state/model.ts';
import { truthOf } from '../rig/dialects.ts';
import { type GeneratedCatalog, generatedCatalog, toYaml } from '../rig/generated-catalog.ts';
import { type Applied, createHouse, type House } from '../rig/in-process.ts';
import fc from '../rig/property.ts';
import { recorded } from '../rig/recorded.ts';

const anyDialect = fc.record(
  Object.fromEntries(
    Object.entries(dialectPoints).map(([point, values]) => [point, fc.constantFrom<unknown>(...values)]),
  ),
) as fc.Arbitrary<Dialect>;

/** One thing that people do between two versions of a catalog. */
type Step =
  | { readonly kind: 'apply'; readonly catalog: GeneratedCatalog; readonly wish: Wish }
  /** The state is lost; IDs of classifiers (and of items that nothing can find) come from elsewhere. */
  | { readonly kind: 'lose' }
  /** From then on, the profile contains what the probe finds. */
  | { readonly kind: 'probe' }
  /** A record is forgotten, and its ID comes back from elsewhere. */
  | { readonly kind: 'forget' }
  /** From then on, IDs are derived from another namespace. */
  | { readonly kind: 'namespace'; readonly idNamespace: string };
type Wish = 'nothing' | 'replace' | 'reassert';

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      catalog: generatedCatalog,
      wish: fc.constantFrom<Wish>('nothing', 'nothing', 'replace', 'reassert'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'lose' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'probe' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'forget' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('namespace' as const), idNamespace: fc.uuid() }),
  },
);

const requestsOf = ({ changes }: Plan) => changes.flatMap(({ requests }) => requests);

const isProbe = (address: string) => address.includes('.trove-probe');

/** The second promise, and the report: the service, the state and the report agree. */
function expectAgreement(house: House, state: State, lost: ReadonlySet<string>): void {
  const known = [...Object.values(recorded(state).live), ...recorded(state).retired].map(({ id }) => id);
  const ledger = house.ledger();
  expect(new Set(known).size).toBe(known.length);
  expect(
    ledger
      .map(({ id }) => id)
      .filter((id) => !lost.has(id))
      .sort(),
  ).toEqual(known.filter((id) => !lost.has(id)).sort());
  // A probe creates its own item twice on purpose, to see what becomes of it.
  const probed = new Set(
    recorded(state)
      .retired.filter(({ address }) => isProbe(address))
      .map(({ id }) => id),
  );
  for (const { id, createdTimes } of ledger)
    if (!probed.has(id) && !lost.has(id)) expect([id, createdTimes <= 1]).toEqual([id, true]);
  expect([recorded(state).pending, recorded(state).imported]).toEqual([[], []]);
  for (const record of Object.values(recorded(state).live)) {
    expect(ledger.find(({ id }) => id === record.id)?.name).toBe(record.answer.name);
  }
}

function expectHonestReport({ before, report, state }: Applied): void {
  const good = ['applied', 'recorded', 'blocked', 'diverged'];
  const bad = report.results.filter(
    ({ action, result }) =>
      !good.includes(result) &&
      // A new item waits for the new ID of an option that the same plan renames.
      !(action === 'waiting' && result === 'waiting') &&
      // What a search does not find may wait for the same.
      !(action === 'adopt' && ['not-started', 'waiting'].includes(result)),
  );
  expect(bad).toEqual([]);
  for (const { address, result, remoteId, action } of report.results) {
    if (['blocked', 'waiting', 'not-started'].includes(result) || ['retire', 'unchanged'].includes(action))
      continue;
    expect(recorded(state).live[address]?.id).toBe(remoteId);
  }
  expect(report.results).toHaveLength(before.changes.filter(({ action }) => action !== 'unchanged').length);
}

/** If nothing at all was found, the user confirms what is new. */
function confirmedBy(
  { report }: Applied,
  { confirmNew = [] }: Partial<PlanOptions>,
): PlanOptions['confirmNew'] {
  const held = report.results.filter(({ reasons = [] }) =>
    reasons.some(({ code }) => code === 'nothing-found'),
  );
  return confirmNew === 'all' ? 'all' : [...confirmNew, ...held.map(({ address }) => address)];
}

/** Applies until nothing more follows: a response may show something that calls for one more plan. */
async function settle(
  house: House,
  text: string,
  planOptions: Partial<PlanOptions>,
  most: number,
): Promise<Applied> {
  let applied = await house.apply(text, planOptions);
  expectHonestReport(applied);
  const confirmNew = confirmedBy(applied, planOptions);
  for (let more = 0; requestsOf(applied.after).length > 0; more++) {
    expect(more).toBeLessThan(most);
    applied = await house.apply(text, { confirmNew });
    expectHonestReport(applied);
  }
  const again = await house.apply(text, { confirmNew });
  expect(requestsOf(again.before)).toEqual([]);
  return applied;
}

/** The user imports IDs from elsewhere: those of classifiers, and of items that can't be found again. */
async function recoverFrom(house: House, text: string, isNew: Partial<PlanOptions>): Promise<State> {
  // What a probe made possible since the last apply is done first.
  const { state: before } = await settle(house, text, isNew, 2);
  const canFind = house.profile()['itemCreate.clientId'] === 'honoured';
  await house.loseState();
  const ids = Object.entries(recorded(before).live).map(([address, { id }]) => [address, id] as const);
  // If an update may create, one earlier ID has to show that the others are derived as before.
  const isKeptBack = canFind && house.profile()['update.unknownId'] !== 'rejected';
  const shown = isKeptBack ? ids.find(([address]) => address.startsWith('item.'))?.[0] : undefined;
  await house.import(
    Object.fromEntries(
      ids.filter(([address]) => !canFind || address.startsWith('classifier.') || address === shown),
    ),
  );
  const created = house.ledger().length;
  // A classifier is unknown until its first response, and what needs its options waits.
  await house.apply(text, { recover: canFind });
  const applied = await settle(house, text, { recover: canFind }, 3);
  expect(house.ledger()).toHaveLength(created);
  const blocked = applied.after.changes.filter(({ action, remoteId }) => action === 'blocked' && !remoteId);
  for (const [address, id] of ids) {
    const isLeft = blocked.some((change) => change.address === address);
    expect(recorded(applied.state).live[address as Address]?.id).toBe(isLeft ? undefined : id);
  }
  return applied.state;
}

/** Nothing of a forgotten record is created or retired before the user decides. */
async function forgetFrom(house: House, text: string, pick: number): Promise<State> {
  const { state: before, after } = await settle(house, text, { confirmNew: 'all' }, 3);
  // An import may name an option that was unclear, and so free what waits for it.
  const held = after.changes.filter(({ remoteId }) => remoteId === null).length;
  // Of an address that had another record before, forgetting loses that one too.
  const retired = new Set(recorded(before).retired.map(({ address }) => address));
  const known = (Object.keys(recorded(before).live) as Address[]).filter((address) => !retired.has(address));
  const address = known[pick % known.length];
  const id = address && recorded(before).live[address]?.id;
  if (address === undefined || id === undefined) return before;
  await house.forget(address);
  const created = house.ledger().length;
  expect(requestsOf((await house.apply(text)).before)).toEqual([]);
  await house.import({ [address]: id });
  await house.apply(text, { confirmNew: 'all' });
  const { state } = await settle(house, text, { confirmNew: 'all' }, 3);
  expect(house.ledger().length - created).toBeLessThanOrEqual(held);
  expect(recorded(state).live[address]?.id).toBe(id);
  return state;
}

/** Whether no retired record has an ID that a later create would request again. */
function canLose(state: State, profile: Profile): boolean {
  const { live, retired: all } = recorded(state);
  const retired = all.filter(({ address }) => !isProbe(address));
  if (profile['itemCreate.clientId'] !== 'honoured') return retired.length === 0;
  if (profile['update.unknownId'] === 'rejected') return true;
  return retired.every(({ address }) => live[address] === undefined);
}

function wishedOptions(
  wish: Wish,
  state: State | undefined,
  { items, classifiers }: GeneratedCatalog,
  pick: number,
) {
  if (wish === 'reassert') return { reassert: 'all' } as const;
  const declared = [
    ...Object.keys(classifiers).map((key) => `classifier.${key}` as const),
    ...Object.keys(items).map((key) => `item.${key}` as const),
  ].filter((address) => recorded(state).live[address]);
  const address = declared[pick % declared.length];
  return wish === 'replace' && address ? { replace: [address] } : {};
}

/** Once a state was lost, an unrecorded resource may exist: it is looked for, if that is possible. */
function whatIsNew(
  { classifiers }: GeneratedCatalog,
  lost: ReadonlySet<string>,
  house: House,
): Partial<PlanOptions> {
  if (lost.size === 0 || house.profile()['itemCreate.clientId'] !== 'honoured') return { confirmNew: 'all' };
  return { recover: true, confirmNew: Object.keys(classifiers).map((key) => `classifier.${key}` as const) };
}

/** More of them find what is rare: TROVE_TEST_RUNS=1000. */
const numRuns = Number(process.env.TROVE_TEST_RUNS ?? 80);

test('the ledger, the state and the report agree in every dialect, whatever people do', {
  timeout: numRuns * 5000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      anyDialect,
      fc.boolean(),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (dialect, isKnown, steps, pick) => {
        const profile = isKnown ? truthOf(dialect) : unknownProfile;
        await using house = await createHouse({ profile, dialect, attributes: ['damage', 'speed'] });
        let state: State | undefined;
        let catalog: GeneratedCatalog = { attributes: {}, classifiers: {}, items: {} };
        let text = '';
        // Recorded in a lost state and not needed since: only the service has it.
        const lost = new Set<string>();
        let isDerivedOtherwise = false;
        for (const each of steps) {
          if (each.kind === 'apply') {
            catalog = each.catalog;
            text = toYaml(catalog);
            const planOptions = wishedOptions(each.wish, state, catalog, pick);
            const isNew = whatIsNew(catalog, lost, house);
            state = (await settle(house, text, { ...isNew, ...planOptions }, 2)).state;
          } else if (each.kind === 'probe' && lost.size === 0) {
            state = (await house.probe()).state;
          } else if (each.kind === 'forget' && state && lost.size === 0) {
            state = await forgetFrom(house, text, pick);
          } else if (each.kind === 'namespace') {
            // What a probe made possible since the last apply is done first.
            if (state) state = (await settle(house, text, whatIsNew(catalog, lost, house), 2)).state;
            // Nothing that is recorded follows from it; what is looked for does (namespace.test.ts).
            isDerivedOtherwise = true;
            house.changeNamespace(each.idNamespace);
            if (state)
              expect(requestsOf((await house.apply(text, whatIsNew(catalog, lost, house))).before)).toEqual(
                [],
              );
          } else if (
            each.kind === 'lose' &&
            state &&
            !isDerivedOtherwise &&
            canLose(state, house.profile())
          ) {
            const known = [...recorded(state).retired, ...Object.values(recorded(state).live)];
            state = await recoverFrom(house, text, whatIsNew(catalog, lost, house));
            const kept = new Set(Object.values(recorded(state).live).map(({ id }) => id));
            for (const { id } of known) if (!kept.has(id)) lost.add(id);
          }
          if (state) expectAgreement(house, state, lost);
        }
      },
    ),
    { numRuns, endOnFailure: true },
  );
});
