import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, startPostgres } from '../rig/postgres.ts';
import { runHere } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam } from '../rig/team.ts';
import { created, everything, inTurns } from './state-in-turns.ts';

describe.skipIf(!hasPostgres)('a state in a PostgreSQL database', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function inDatabase() {
    const settings = `state: { backend: postgres, schema: trove_${++schemas} }\nprofile: { itemCreate.clientId: honoured }\n`;
    const team = await createTeam(smallCatalog, settings);
    const env = { ...team.env, TROVE_STATE_URL: server.url };
    const { folder } = team.project;
    const runner = (name: string) => async (args: string) => {
      const place = join(folder, `.runner-${name}`);
      await cp(join(folder, 'catalog'), join(place, 'catalog'), {
        recursive: true,
        filter: (path) => !path.includes('.trove'),
      });
      return runHere(place, args, { env });
    };
    const own = Object.assign(team.env, { TROVE_STATE_URL: server.url });
    return { team: { ...team, env: own }, runner };
  }

  test('of two runners in turns, the first killed at any request, has every record once', () =>
    inTurns(inDatabase));

  test('is pulled, pushed, locked and checked like any other', async () => {
    const { team, runner } = await inDatabase();
    await using _ = team;
    const run = runner('one');
    expect(await run('apply --yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('no-state') });
    expect(await run('apply --yes --new-environment')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
    const pulled = await run('state pull');
    await team.project.write('.runner-one/copy.json', pulled.stdout);
    expect(await run('state forget item.torch --yes')).toMatchObject({ code: 0 });
    expect((await run('state list')).stdout).not.toContain('item.torch');
    expect(await run('state push copy.json --force')).toMatchObject({ code: 0 });
    expect((await run('plan')).stdout).toContain('5 unchanged');
    expect(await run('state unlock')).toMatchObject({ code: 0 });
    expect((await run('doctor')).stdout).toMatch(/ok +state +postgres:trove_\d+\/staging\.json/);
  });
});
