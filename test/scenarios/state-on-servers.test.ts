import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasPostgres, startPostgres } from '../rig/postgres.ts';
import { runHere } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { s3Server, terraformServer } from '../rig/state-servers.ts';
import { createTeam } from '../rig/team.ts';
import { created, everything, inTurns } from './state-in-turns.ts';

type Started = AsyncDisposable & { readonly url: string };

const servers: readonly {
  readonly name: string;
  readonly start: () => Promise<Started>;
  readonly settings: (url: string) => string;
  readonly variables?: (url: string) => Readonly<Record<string, string>>;
  readonly path: string;
  readonly isMissing?: boolean;
}[] = [
  {
    name: 'in a PostgreSQL database',
    start: startPostgres,
    settings: () => 'backend: postgres',
    variables: (url) => ({ TROVE_STATE_URL: url }),
    path: 'postgres:trove/staging.json',
    isMissing: !hasPostgres,
  },
  {
    name: 'with GitLab',
    start: () => terraformServer({ isGitLab: true }),
    settings: () => 'backend: gitlab, project: 42',
    variables: (url) => ({ CI_API_V4_URL: `${url}/api/v4`, CI_JOB_TOKEN: 'job-token-17' }),
    path: 'gitlab:42/staging',
  },
  {
    name: "with Terraform's protocol",
    start: () => terraformServer(),
    settings: (url) => `backend: http, address: "${url}/staging"`,
    path: 'http://',
  },
  {
    name: 'in a bucket',
    start: () => s3Server(),
    settings: (url) => `backend: s3, bucket: bucket, endpoint: "${url}", pathStyle: true`,
    variables: () => ({ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }),
    path: 's3://bucket/trove/staging.json',
  },
];

for (const { name, start, settings, variables, path, isMissing = false } of servers) {
  describe.skipIf(isMissing)(`a state ${name}`, () => {
    async function onServer() {
      const server = await start();
      onTestFinished(() => server[Symbol.asyncDispose]());
      const state = `state: { ${settings(server.url)} }\n`;
      const served = await createTeam(smallCatalog, `${state}profile: { itemCreate.clientId: honoured }\n`);
      const env = Object.assign(served.env, variables?.(server.url));
      const { folder } = served.project;
      const runner = (which: string) => async (args: string) => {
        const place = join(folder, `.runner-${which}`);
        await cp(join(folder, 'catalog'), join(place, 'catalog'), {
          recursive: true,
          filter: (file) => !file.includes('.trove'),
        });
        return runHere(place, args, { env });
      };
      return { team: served, runner };
    }

    test('has every record once after two runners in turns, the first killed at any request', () =>
      inTurns(onServer));

    test('is begun, pulled, pushed, unlocked and checked like any other', async () => {
      const { team, runner } = await onServer();
      await using _ = team;
      const run = runner('one');
      const early = await run('apply --yes');
      expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('no-state') });
      expect(await run('apply --yes --new-environment')).toMatchObject({ code: 0 });
      expect(created(team)).toEqual(everything);
      await team.project.write('.runner-one/copy.json', (await run('state pull')).stdout);
      expect(await run('state forget item.torch --yes')).toMatchObject({ code: 0 });
      expect((await run('state list')).stdout).not.toContain('item.torch');
      expect(await run('state push copy.json --force')).toMatchObject({ code: 0 });
      expect((await run('plan')).stdout).toContain('5 unchanged');
      expect(await run('state unlock')).toMatchObject({ code: 0 });
      expect((await run('doctor')).stdout.replaceAll(/\s+/g, ' ')).toContain(`ok state ${path}`);
    });
  });
}
