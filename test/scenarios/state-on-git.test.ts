import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Finished, finished, runHere } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam } from '../rig/team.ts';
import { git, hook, identity } from '../state/git-place.ts';
import { created, everything, inTurns } from './state-in-turns.ts';

/** The project of a team as one runner's checkout, with its state on a branch of a remote; and clones of it. */
async function onBranch(profile = 'profile: { itemCreate.clientId: honoured }\n') {
  const team = await createTeam(smallCatalog, `state: { backend: git }\n${profile}`);
  const { folder } = team.project;
  const remote = `${folder}/.remote.git`;
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'remote', 'add', 'origin', `file://${remote}`);
  await team.project.write('.gitignore', '.remote.git\n.runner*\n.trove\n');
  git(folder, 'add', '--all');
  git(folder, ...identity, 'commit', '--quiet', '--message=catalog');
  git(folder, 'push', '--quiet', 'origin', 'main');
  /** What another machine runs: it has nothing but a shallow clone. */
  const runner = (name: string) => {
    git(folder, 'clone', '--quiet', '--depth=1', `file://${remote}`, `.runner-${name}`);
    const { env } = team;
    return (args: string): Promise<Finished> => runHere(join(folder, `.runner-${name}`), args, { env });
  };
  return { team, remote, runner };
}

test('two runners in turns, the first killed at any request, create every record once', () =>
  inTurns(onBranch));

test('a saved plan is applied on another machine, once, and is stale after another apply', async () => {
  const { team, remote, runner } = await onBranch();
  await using _ = team;
  const [first, second] = [runner('first'), runner('second')];
  expect(await second('apply --yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('no-state') });
  expect(git(remote, 'for-each-ref', '--format=%(refname:short)')).toBe('main');
  const plan = join(team.project.folder, '.runner-plan.json');
  expect(await first(`plan --out ${plan}`)).toMatchObject({ code: 0 });
  expect(await second(`apply ${plan} --new-environment`)).toMatchObject({ code: 0 });
  expect(created(team)).toEqual(everything);
  const again = await first(`apply ${plan} --new-environment`);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('stale-plan')]);
});

test('a state moves from its file to the branch, and nothing is created again', async () => {
  const { team, remote, runner } = await onBranch();
  await using _ = team;
  const environment = 'catalog/environments/staging.yaml';
  await team.project.edit(environment, 'state: { backend: git }\n', '');
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
  await team.project.write('staging.json', (await team.run('state pull')).stdout);
  await team.project.edit(environment, 'teamId: team_7\n', 'teamId: team_7\nstate: { backend: git }\n');
  expect(await team.run('state push staging.json')).toMatchObject({ code: 0 });
  expect(git(remote, 'ls-tree', '--name-only', 'trove-state-staging')).toBe('staging.json');
  expect((await runner('one')('plan')).stdout).toContain('5 unchanged');
});

test('an apply that can push no more stops, and prints the IDs that it could not record', async () => {
  const { team, remote, runner } = await onBranch();
  await using _ = team;
  team.gateway.decide = ({ method }) => {
    if (method === 'POST') hook(remote, 'pre-receive', 'exit 1');
    return 'pass';
  };
  const stopped = await team.run('apply --yes --new-environment --parallel 1');
  expect(created(team)).toEqual(['Rarity']);
  team.gateway.decide = () => 'pass';
  hook(remote, 'pre-receive', '');
  const [command = ''] = /(?<=trove )resolve .* --id .*/.exec(stopped.stdout) ?? [];
  const next = runner('next');
  // The process that could not give its lock back is that of this test.
  expect(await next('state unlock --force --yes')).toMatchObject({ code: 0 });
  expect(await next(command)).toMatchObject({ code: 0 });
  expect(await next('apply --yes --new-environment')).toMatchObject({ code: 0 });
  expect(created(team)).toEqual(everything);
});

test('an intent whose push was answered late is not sent if the lock was removed meanwhile', async () => {
  const { team, remote, runner } = await onBranch();
  await using _ = team;
  const [pushed, release] = [
    join(team.project.folder, '.runner-pushed'),
    join(team.project.folder, '.runner-go'),
  ];
  const isIntent = 'read _ tip _; [ "$(git log -1 --format=%s $tip)" = "staging: journal" ] || exit 0';
  hook(remote, 'post-receive', `${isIntent}; touch ${pushed}; until [ -e ${release} ]; do sleep 0.1; done`);
  const run = team.project.start('apply --yes --new-environment --parallel 1', { env: team.env });
  const ended = finished(run);
  while (!existsSync(pushed)) await setTimeout(50);
  expect(await runner('next')('state unlock --force --yes')).toMatchObject({ code: 0 });
  // Longer than the lock is taken for granted.
  await setTimeout(1100);
  await team.project.write('.runner-go', '');
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('state-lock-lost') });
  expect(created(team)).toEqual([]);
});

test('an earlier state of the branch is put back, and what that forgets is listed', async () => {
  const { team, runner } = await onBranch();
  await using _ = team;
  const { folder } = team.project;
  await team.run('apply --yes --new-environment --target classifier.slot');
  await team.run('apply --yes');
  const run = runner('one');
  const clone = join(folder, '.runner-one');
  git(clone, 'fetch', '--quiet', 'origin', 'trove-state-staging');
  const commits = git(clone, 'log', '--format=%H %s', 'FETCH_HEAD').split('\n');
  const first = commits.find((line) => line.endsWith('staging: serial 1'))?.split(' ')[0] ?? '';
  await team.project.write('.runner-one/old.json', git(clone, 'show', `${first}:staging.json`));
  const refused = await run('state push old.json');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('repeat this with --force')]);
  const pushed = await run('state push old.json --force');
  expect(pushed.stdout).toMatch(/No longer recorded:\n(?: .*\n)* +item\.torch +\S+\n/);
  expect(pushed.stdout).toContain('trove import -e staging ADDRESS ID');
  const sent = created(team);
  expect(await run('apply --yes')).toMatchObject({ code: 3, stdout: expect.stringContaining('4 blocked') });
  expect(created(team)).toEqual(sent);
  // Or with git, as docs/state.md says, in a clone that is shallow.
  git(clone, 'fetch', '--quiet', 'origin', 'trove-state-staging');
  const lease = `--force-with-lease=trove-state-staging:${git(clone, 'rev-parse', 'FETCH_HEAD')}`;
  const [newest = ''] = commits.find((line) => line.includes('staging: serial'))?.split(' ') ?? [];
  git(clone, 'push', '--quiet', lease, 'origin', `${newest}:refs/heads/trove-state-staging`);
  expect(await run('state unlock --force --yes')).toMatchObject({ code: 0 });
  expect((await run('plan')).stdout).toContain('5 unchanged');
});

test.each([
  ['was changed', (good: string) => good.replaceAll('Main Hand', 'Other Hand')],
  ['has conflict markers', (good: string) => `<<<<<<< HEAD\n${good}`],
])(
  'a state that %s on the branch beside a journal is put back, and nothing is created twice',
  async (_, change) => {
    const { team, remote, runner } = await onBranch();
    await using __ = team;
    const { project } = team;
    const branch = 'refs/heads/trove-state-staging';
    await team.run('apply --yes --new-environment --target classifier.slot');
    const good = git(remote, 'show', `${branch}:staging.json`);
    await team.endedAt(1, 'apply --yes --parallel 1');
    const elsewhere = join(project.folder, '.runner-elsewhere');
    git(project.folder, 'clone', '--quiet', '--branch=trove-state-staging', `file://${remote}`, elsewhere);
    await project.write('.runner-elsewhere/staging.json', change(good));
    git(elsewhere, ...identity, 'commit', '--quiet', '--all', '--message=by hand');
    git(elsewhere, 'push', '--quiet');
    const run = runner('next');
    await project.write('.runner-next/good.json', `${good}\n`);
    expect(await run('state unlock --force --yes')).toMatchObject({ code: 0 });
    expect(await run('plan')).toMatchObject({ code: 1 });
    const pushed = await run('state push good.json');
    expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining('Replayed')]);
    expect(await run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
  },
);

test('the commands of a state read and change the branch', async () => {
  const { team, remote, runner } = await onBranch();
  await using _ = team;
  const run = runner('one');
  expect(await run('apply --yes --new-environment')).toMatchObject({ code: 0 });
  const copy = (await run('state pull')).stdout;
  expect(JSON.parse(git(remote, 'show', 'trove-state-staging:staging.json'))).toEqual(JSON.parse(copy));
  expect(await run('state mv item.torch item.lantern')).toMatchObject({ code: 0 });
  expect((await runner('two')('state list')).stdout).toContain('item.lantern');
  await team.project.write('.runner-one/copy.json', copy);
  expect(await run('state push --force copy.json')).toMatchObject({ code: 0 });
  expect((await run('state list')).stdout).toContain('item.torch');
  const { stdout } = await run('doctor');
  expect(stdout).toMatch(/^ok {4}state {8}origin\/trove-state-staging:staging\.json: 5 records/m);
});
