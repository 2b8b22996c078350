import { expect, test } from 'vitest';
import { type ProfilePoint, unknownProfile } from '../../src/contract/profile.ts';
import type { ProbeReport } from '../../src/probe/model.ts';
import { type Dialect, dialectPoints } from '../../src/service/dialect.ts';
import { coveringDialects, truthOf } from '../rig/dialects.ts';
import { createHouse, type House, type Probed } from '../rig/in-process.ts';
import fc from '../rig/property.ts';
import { recorded } from '../rig/recorded.ts';

const dialects = fc.record(
  Object.fromEntries(
    Object.entries(dialectPoints).map(([point, values]) => [point, fc.constantFrom(...values)]),
  ),
) as unknown as fc.Arbitrary<Dialect>;

const house = (dialect: Partial<Dialect>, seed = 0, attributes = ['attr_1', 'attr_2']) =>
  createHouse({ profile: unknownProfile, dialect, seed, attributes });

/** The value that a report contains for each point, or the kind of its result. */
function toldBy({ points }: ProbeReport): Readonly<Record<ProfilePoint, string>> {
  const told = points.map((result) => [result.point, 'value' in result ? result.value : result.kind]);
  return Object.fromEntries(told) as Record<ProfilePoint, string>;
}

/** The truth, except for what has no meaning in this dialect or can't be seen. */
function tellable(dialect: Dialect): Readonly<Record<ProfilePoint, string>> {
  return {
    ...truthOf(dialect),
    ...(dialect['itemCreate.clientId'] === 'ignored' && { 'itemCreate.existingId': 'not-tried' }),
    ...(dialect['itemUpdate.classifierOptionIds'] === 'ignored' && {
      'itemUpdate.assignments': 'could-not-tell',
    }),
  };
}

function expectBooksInOrder({ report, state }: Probed, { ledger }: House, dialect: Dialect): void {
  expect([recorded(state).live, recorded(state).pending, report.halt]).toEqual([{}, [], undefined]);
  const retired = recorded(state)
    .retired.map(({ id }) => id)
    .sort();
  expect(
    ledger()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(retired);
  expect(report.left.map(({ id }) => id).sort()).toEqual(retired);
  const twice = ledger().filter(({ createdTimes }) => createdTimes > 1);
  if (dialect['itemCreate.existingId'] !== 'overwritten') expect(twice).toEqual([]);
}

const classifiersOf = ({ state }: Probed) =>
  recorded(state).retired.filter(({ address }) => address.startsWith('classifier.'));

test('in every dialect, the probe finds the truth and records everything that it creates', async () => {
  await fc.assert(
    fc.asyncProperty(dialects, fc.nat(), async (dialect, seed) => {
      await using probing = await house(dialect, seed);
      const probed = await probing.probe();
      expect(toldBy(probed.report)).toEqual(tellable(dialect));
      expectBooksInOrder(probed, probing, dialect);
      expect(classifiersOf(probed)).toHaveLength(1);
      expect(recorded(probed.state).retired.length).toBeLessThanOrEqual(4);
      expect(probing.ledger().every(({ createdTimes }) => createdTimes <= 2)).toBe(true);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test.each(coveringDialects)(
  'the probe of dialect %# finds the same a second and a third time',
  async (dialect) => {
    await using probing = await house(dialect);
    for (let time = 0; time < 3; time++) {
      const probed = await probing.probe();
      expect(toldBy(probed.report)).toEqual(tellable(dialect));
      expectBooksInOrder(probed, probing, dialect);
      expect(classifiersOf(probed)).toHaveLength(1);
    }
  },
);

test.each(['replace', 'merge'] as const)('the probe needs only one attribute to find %s', async (value) => {
  await using probing = await house({ 'itemUpdate.attributes': value }, 0, ['attr_1']);
  expect(toldBy((await probing.probe()).report)['itemUpdate.attributes']).toBe(value);
});

test('the probe tries nothing with attributes if there are none', async () => {
  await using probing = await house({}, 0, []);
  expect(toldBy((await probing.probe()).report)['itemUpdate.attributes']).toBe('not-tried');
});
