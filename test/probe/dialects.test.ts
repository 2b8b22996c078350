import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProfilePoint } from '../../src/contract/profile.ts';
import { type Dialect, dialectPoints } from '../../src/service/dialect.ts';
import { coveringDialects, truthOf } from '../rig/dialects.ts';
import { type Probed, probeDialect, toldBy } from '../rig/probe-house.ts';

const dialects = fc.record(
  Object.fromEntries(
    Object.entries(dialectPoints).map(([point, values]) => [point, fc.constantFrom(...values)]),
  ),
) as unknown as fc.Arbitrary<Dialect>;

/** The truth, but for what has no meaning there or can't be seen. */
function tellable(dialect: Dialect): Readonly<Record<ProfilePoint, string>> {
  return {
    ...truthOf(dialect),
    ...(dialect['itemCreate.clientId'] === 'ignored' && { 'itemCreate.existingId': 'not-tried' }),
    ...(dialect['itemUpdate.classifierOptionIds'] === 'ignored' && {
      'itemUpdate.assignments': 'could-not-tell',
    }),
  };
}

function expectBooksInOrder({ report, state, ledger }: Probed, dialect: Dialect): void {
  expect([state.resources, state.pending, report.halt]).toEqual([{}, [], undefined]);
  const retired = state.retired.map(({ id }) => id).sort();
  expect(ledger.map(({ id }) => id).sort()).toEqual(retired);
  expect(report.left.map(({ id }) => id).sort()).toEqual(retired);
  const twice = ledger.filter(({ createdTimes }) => createdTimes > 1);
  if (dialect['itemCreate.existingId'] !== 'overwritten') expect(twice).toEqual([]);
}

const classifiersOf = ({ state }: Probed) =>
  state.retired.filter(({ address }) => address.startsWith('classifier.'));

test('in every dialect the probe finds what is true, and the state has every record that it made', async () => {
  await fc.assert(
    fc.asyncProperty(dialects, fc.nat(), async (dialect, seed) => {
      const [probed] = await probeDialect(dialect, { seed });
      if (!probed) throw new Error('it was probed once');
      expect(toldBy(probed.report)).toEqual(tellable(dialect));
      expectBooksInOrder(probed, dialect);
      expect(classifiersOf(probed)).toHaveLength(1);
      expect(probed.state.retired.length).toBeLessThanOrEqual(4);
      expect(probed.ledger.every(({ createdTimes }) => createdTimes <= 2)).toBe(true);
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 180_000);

test.each(coveringDialects)('dialect %#: a second and a third time it finds the same', async (dialect) => {
  const times = await probeDialect(dialect, { times: 3 });
  for (const probed of times) {
    expect(toldBy(probed.report)).toEqual(tellable(dialect));
    expectBooksInOrder(probed, dialect);
    expect(classifiersOf(probed)).toHaveLength(1);
  }
});

test.each(['replace', 'merge'] as const)('one attribute is enough to see %s', async (value) => {
  const [probed] = await probeDialect({ 'itemUpdate.attributes': value }, { attributes: ['attr_1'] });
  expect(probed && toldBy(probed.report)['itemUpdate.attributes']).toBe(value);
});

test('without attributes nothing is tried on them', async () => {
  const [probed] = await probeDialect({}, { attributes: [] });
  expect(probed && toldBy(probed.report)['itemUpdate.attributes']).toBe('not-tried');
});
