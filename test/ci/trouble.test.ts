import { spawn } from 'node:child_process';
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownProcess } from '../../src/state/lock-owner.ts';
import { runGitlabPipeline } from '../rig/gitlab-runner.ts';
import { addPreview, apply, applyFirst, branches, secrets, stateOn } from '../rig/pipeline.ts';
import { recorded } from '../rig/recorded.ts';
import { createRepository, git, type Repository } from '../rig/repository.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { statePath } from '../rig/team.ts';

const isNew = { 'new-environment': 'true' };
const onlyMain = ['refs/heads/main'];
const createdTimes = ({ team }: Repository) => team.service.ledger().map((record) => record.createdTimes);

test('apply commits only the state if the catalog is the root of the repository', async () => {
  await using repository = await createRepository({ 'game.yaml': smallCatalog['catalog/game.yaml'] });
  const person = await repository.checkout();
  await git(person, 'mv', 'catalog/environments', 'environments');
  await git(person, 'commit', '--quiet', '-m', 'The catalog is the repository');
  await git(person, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  expect(await apply(repository, { inputs: { ...isNew, catalog: '.' } })).toMatchObject({ failed: false });
  expect(await repository.git('show', '--format=', '--name-only', 'main')).toBe('state/staging.json');
  expect(Object.keys(recorded(await stateOn(repository, 'main', 'state/staging.json')).live)).toHaveLength(5);
});

test('apply works on a branch with slashes, a # and letters beyond ASCII', async () => {
  await using repository = await createRepository(smallCatalog);
  const branch = 'release/näch#te-1';
  await repository.git('branch', branch, 'main');
  const checkout = await repository.checkout(`refs/heads/${branch}`);
  expect(await apply(repository, { checkout, inputs: { ...isNew, branch } })).toMatchObject({
    failed: false,
  });
  expect(Object.keys(recorded(await stateOn(repository, branch)).live)).toHaveLength(5);
  expect(await branches(repository)).toEqual([...onlyMain, `refs/heads/${branch}`]);
});

test('a catalog in a submodule is refused before anything is sent', async () => {
  await using repository = await createRepository(smallCatalog);
  const checkout = await repository.checkout();
  const submodule = ['-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet'];
  await git(checkout, ...submodule, repository.remote, 'games');
  await git(checkout, 'commit', '--quiet', '-m', 'Add the games');
  await git(checkout, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  const inputs = { ...isNew, catalog: 'games/catalog' };
  const refused = await apply(repository, { checkout, inputs });
  expect(refused).toMatchObject({ failed: true, outcomes: { begin: 'failure', run: 'skipped' } });
  expect(refused.log).toContain('games/catalog is not a folder of this repository');
  expect(repository.team.gateway.exchanges).toEqual([]);
  expect(await branches(repository)).toEqual(onlyMain);
});

test.skipIf(process.getuid?.() !== 0)(
  'apply works in a checkout of another user, as in a container',
  async () => {
    await using repository = await createRepository(smallCatalog);
    const checkout = await repository.checkout();
    for (const path of ['.', '.git']) await chown(join(checkout, path), 1001, 1001);
    expect(await apply(repository, { checkout, inputs: isNew })).toMatchObject({ failed: false });
    expect(Object.keys(recorded(await stateOn(repository, 'main')).live)).toHaveLength(5);
  },
);

test('jobs with a common environment exclude each other, however they name it', async () => {
  await using repository = await createRepository(smallCatalog);
  await addPreview(repository);
  const others: Awaited<ReturnType<typeof apply>>[] = [];
  const before = async (id: string) => {
    if (id !== 'run') return;
    for (const environments of ['staging', 'preview staging', 'stag*'])
      others.push(await apply(repository, { inputs: { ...isNew, environments } }));
  };
  const inputs = { ...isNew, environments: 'staging  preview' };
  expect(await apply(repository, { before, inputs })).toMatchObject({ failed: false });
  for (const other of others) {
    expect(other).toMatchObject({ outcomes: { begin: 'failure', run: 'skipped' } });
    expect(other.log).toContain('another apply has begun and has not kept its state');
  }
  expect(new Set(createdTimes(repository))).toEqual(new Set([1]));
  expect(await branches(repository)).toEqual(onlyMain);
});

test('both states are committed if one of two environments in a job fails', async () => {
  await using repository = await createRepository(smallCatalog);
  await addPreview(repository);
  const { gateway } = repository.team;
  let bows = 0;
  gateway.decide = ({ body }) =>
    body.name === 'Oak Bow' && ++bows === 1 ? { status: 400, body: '{}' } : 'pass';
  const result = await apply(repository, { inputs: { ...isNew, environments: 'staging preview' } });
  expect(result).toMatchObject({ failed: true, outcomes: { run: 'failure', keep: 'success' } });
  const states = [
    await stateOn(repository, 'main'),
    await stateOn(repository, 'main', 'catalog/records/preview.json'),
  ];
  expect(states.map((state) => Object.keys(recorded(state).live).length).sort()).toEqual([4, 5]);
  expect(await branches(repository)).toEqual(onlyMain);
});

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a job canceled by %s while it pushes its mark sends nothing and leaves no mark',
  async (signal) => {
    await using repository = await createRepository(smallCatalog);
    const pid = join(repository.folder, 'pid');
    const hook = join(repository.remote, 'hooks/post-receive');
    await writeFile(hook, `#!/bin/sh\nkill -${signal.slice(3)} "$(cat '${pid}')"\nexec /bin/sleep 0.2\n`, {
      mode: 0o755,
    });
    const written: Promise<void>[] = [];
    const started = (id: string, own: number) => {
      if (id === 'begin') written.push(writeFile(pid, `${own}\n`));
    };
    const before = async (id: string) => {
      if (id === 'keep') await rm(hook);
    };
    const result = await apply(repository, { started, before, inputs: isNew });
    await Promise.all(written);
    expect(result).toMatchObject({ failed: true, outcomes: { begin: 'failure', run: 'skipped' } });
    expect(repository.team.gateway.exchanges).toEqual([]);
    expect(await branches(repository)).toEqual(onlyMain);
  },
);

test('a mark is removed even if the repository is gone right after its push', async () => {
  await using repository = await createRepository(smallCatalog);
  const gone = `${repository.remote}.gone`;
  const hook = join(repository.remote, 'hooks/post-receive');
  await writeFile(hook, `#!/bin/sh\nmv '${repository.remote}' '${gone}'\nkill -KILL "$PPID"\n`, {
    mode: 0o755,
  });
  const before = async (id: string) => {
    if (id !== 'keep') return;
    await rename(gone, repository.remote);
    await rm(hook);
  };
  const result = await apply(repository, { before, inputs: isNew });
  expect(result).toMatchObject({ failed: true, outcomes: { begin: 'failure', run: 'skipped' } });
  expect(result.log).toContain("the repository can't be reached");
  expect(result.log).not.toContain('permissions');
  expect(repository.team.gateway.exchanges).toEqual([]);
  expect(await branches(repository)).toEqual(onlyMain);
});

test('a process that a foreign lock names is neither ended nor waited for', async () => {
  await using repository = await createRepository(smallCatalog);
  const checkout = await repository.checkout();
  const other = spawn('sleep', ['600']);
  const before = async (id: string) => {
    if (id !== 'keep') return;
    const lock = { process: { ...(await ownProcess()), pid: other.pid } };
    await writeFile(join(checkout, 'catalog/state/other.json.lock'), JSON.stringify(lock, null, 2));
  };
  try {
    expect(await apply(repository, { checkout, before, inputs: isNew })).toMatchObject({ failed: false });
    expect(other.signalCode).toBeNull();
  } finally {
    other.kill('SIGKILL');
  }
});

test('a job that may not push sends nothing and names the permission', async () => {
  await using repository = await createRepository(smallCatalog);
  await writeFile(join(repository.remote, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const refused = await applyFirst(repository);
  expect(refused).toMatchObject({ failed: true, outcomes: { begin: 'failure', run: 'skipped' } });
  expect(refused.log).toContain('permissions: { contents: write }');
  expect(repository.team.gateway.exchanges).toEqual([]);
});

test.each([
  [
    'the repository is gone',
    ({ remote }: Repository) => rename(remote, `${remote}.gone`),
    'the repository could not be reached',
  ],
  [
    'git fails',
    async (_: Repository, checkout: string) => {
      const objects = join(checkout, '.git/objects');
      for (const name of await readdir(objects)) await rm(join(objects, name), { recursive: true });
    },
    'It is only in this job',
  ],
])('an artifact has the state and nothing else if %s at the end', async (_, spoil, told) => {
  await using repository = await createRepository(smallCatalog);
  const checkout = await repository.checkout();
  await writeFile(join(checkout, 'catalog/gha-creds-1.json'), '{ "private_key": "s3cret" }');
  const before = async (id: string) => {
    if (id === 'keep') await spoil(repository, checkout);
  };
  const result = await apply(repository, { checkout, before, inputs: isNew });
  expect(result).toMatchObject({
    failed: true,
    outcomes: { run: 'success', keep: 'failure' },
    outputs: { files: statePath },
    used: ['actions/upload-artifact@v4'],
  });
  for (const each of [told, 'It is only in this job']) expect(result.log).toContain(each);
});

test('a job canceled while it pushes the state finishes the push', async () => {
  await using repository = await createRepository(smallCatalog);
  const pid = join(repository.folder, 'pid');
  await writeFile(
    join(repository.remote, 'hooks/update'),
    `#!/bin/sh\n[ "$1" != refs/heads/main ] || kill -TERM "$(cat '${pid}')"\n`,
    { mode: 0o755 },
  );
  const started = (id: string, own: number) => {
    if (id === 'keep') writeFile(pid, `${own}\n`);
  };
  expect(await apply(repository, { started, inputs: isNew })).toMatchObject({
    outcomes: { keep: 'success' },
  });
  expect(Object.keys(recorded(await stateOn(repository, 'main')).live)).toHaveLength(5);
  expect(await branches(repository)).toEqual(onlyMain);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'no ID is lost if GitLab ends a job by %s during a create',
  async (signal) => {
    await using repository = await createRepository(smallCatalog);
    const { gateway } = repository.team;
    let group = 0;
    gateway.decide = ({ method }) => {
      if (method === 'POST' && gateway.count('POST') === 1) process.kill(-group, signal);
      return 'pass';
    };
    const env = { ...secrets(repository), TROVE_NEW_ENVIRONMENT: 'true' };
    const { apply } = await runGitlabPipeline(repository, env);
    await apply((own) => {
      group = own;
    });
    const { pending, live } = recorded(await stateOn(repository, 'main'));
    expect([pending, Object.keys(live).length]).toEqual([[], createdTimes(repository).length]);
    expect(await branches(repository)).toEqual(onlyMain);
  },
);
