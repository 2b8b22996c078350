import { expect, test } from 'vitest';
import { embeddedProfile, unknownProfile } from '../../src/contract/profile.ts';
import type { Plan } from '../../src/plan/model.ts';
import { generatedCatalog, toYaml } from '../rig/generated-catalog.ts';
import { createHouse } from '../rig/in-process.ts';
import fc from '../rig/property.ts';
import { recorded } from '../rig/recorded.ts';

const requestsOf = ({ changes }: Plan) => changes.flatMap(({ requests }) => requests);

/** Promise 1, over generated catalogs and edits, with everything known of the service and with nothing. */
test.each([
  ['everything known', embeddedProfile],
  ['nothing known', unknownProfile],
])('after an apply, the next plan has nothing to send (%s)', async (_, profile) => {
  await fc.assert(
    fc.asyncProperty(fc.array(generatedCatalog, { minLength: 1, maxLength: 4 }), async (versions) => {
      await using house = await createHouse({ profile });
      for (const version of versions) {
        const { before, after, report, state } = await house.apply(toYaml(version));
        expect(requestsOf(after)).toEqual([]);
        expect([
          after.summary.create,
          after.summary.update,
          after.summary.retire,
          after.summary.unknown,
        ]).toEqual([0, 0, 0, 0]);
        expect(
          report.results.filter(
            ({ result }) => !['applied', 'recorded', 'blocked', 'waiting'].includes(result),
          ),
        ).toEqual([]);
        expect(after.summary).toMatchObject({
          blocked: before.summary.blocked,
          waiting: before.summary.waiting,
        });
        expect(after.summary.diverged).toBe(0);
        expect(recorded(state).pending).toEqual([]);
      }
      const creates = house.sent.filter(({ method, path }) => method === 'POST' && path === '/items');
      const ids = creates.map(({ body }) => body.id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 100, endOnFailure: true },
  );
});
