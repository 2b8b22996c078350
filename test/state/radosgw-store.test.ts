import { AwsClient } from 'aws4fetch';
import { afterAll, describe, expect, it } from 'vitest';
import { DocumentFolder } from '../../src/state/document/engine.ts';
import { S3Object } from '../../src/state/document/s3.ts';
import { SharedStore } from '../../src/state/shared/store.ts';
import { hasRadosgw, startRadosgw } from '../rig/radosgw.ts';
import { owner } from './events.ts';
import { unwrap } from './results.ts';
import { storeSuite } from './store-suite.ts';

const server = hasRadosgw ? await startRadosgw().catch(() => undefined) : undefined;
if (!server) process.stdout.write('radosgw is missing or did not start: its tests are skipped\n');

/** A store that others wrote, which verifies signatures and knows conditions in its own way. */
describe.skipIf(!server)('a state in a bucket of Ceph', () => {
  afterAll(() => server?.[Symbol.asyncDispose]());
  const endpoint = server?.url ?? '';
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
  let objects = 0;

  async function freshPlace(options: { readonly maxBytes?: number } = {}) {
    const client = new AwsClient({ ...keys, region: 'us-east-1', service: 's3', retries: 0 });
    expect((await client.fetch(`${endpoint}/bucket`, { method: 'PUT' })).status).toBe(200);
    const at = { bucket: 'bucket', key: `trove/${++objects}.json`, region: 'us-east-1', endpoint };
    const open = () => {
      const place = new S3Object({ ...at, pathStyle: true, keys: async () => keys }, 'the state');
      return new SharedStore({
        engine: new DocumentFolder(place),
        file: 'staging.json',
        path: 'the state',
        ...options,
      });
    };
    return { open, store: open() };
  }

  storeSuite(freshPlace);

  it('gives the lock to one of many', async () => {
    const { open } = await freshPlace();
    const stores = Array.from({ length: 12 }, open);
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(
        stores.map(async (each) => unwrap(await each.lock.take(await owner()))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      for (const each of stores) unwrap(await each.lock.release());
    }
  });
});
