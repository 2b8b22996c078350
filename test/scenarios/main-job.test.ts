import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, type Project } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, isCreateOf, statePath } from '../rig/team.ts';

const said = (text: string, code = 0) => ({ code, stdout: expect.stringContaining(text) });

test('the example catalog applies once to the embedded service, with the same IDs every time', async () => {
  const applied = async (project: Project) => {
    expect(await project.run('apply --yes')).toMatchObject(said('Applied to local: 78 created.'));
    const { live } = recorded(await project.state());
    expect(Object.values(live).filter(({ confidence }) => confidence !== 'verified')).toEqual([]);
    const items = Object.entries(live).filter(([address]) => address.startsWith('item.'));
    return items.map(([address, { id }]) => [address, id]);
  };
  await using one = await createProject();
  await using other = await createProject();
  expect(await applied(one)).toEqual(await applied(other));
  const before = await one.read('catalog/.trove/local.state.json');
  expect(await one.run('apply')).toEqual({ ...said('No changes: 78 unchanged.'), stderr: '' });
  expect(await one.read('catalog/.trove/local.state.json')).toBe(before);
});

describe('apply over HTTP', () => {
  test('creates classifiers before items, uses the returned option IDs and keeps the state private', async () => {
    await using team = await appliedTeam();
    const { exchanges } = team.gateway;
    expect(exchanges.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['POST /classifiers', 'POST /classifiers', 'POST /items', 'POST /items', 'POST /items'],
    ]);
    const options = exchanges
      .slice(0, 2)
      .flatMap(({ answer }) => answer?.classifierOptions as { id: string; name: string }[]);
    const idOf = (name: string) => options.find((option) => option.name === name)?.id;
    expect(exchanges.find(isCreateOf('Iron Sword'))?.body.classifierOptionIds).toEqual([
      ...[idOf('Common'), idOf('Main Hand'), idOf('Off Hand')],
    ]);
    const { mode } = await stat(join(team.project.folder, statePath));
    expect(mode & 0o777).toBe(0o600);
    expect(await team.project.read(statePath)).not.toContain(team.env.TROVE_PASSWORD);
  });

  test('sends one PUT for an edited name and nothing for a renamed key', async () => {
    await using team = await appliedTeam();
    const sent = team.gateway.exchanges.length;
    await team.project.edit('catalog/game.yaml', 'name: Iron Sword', 'name: Steel Sword');
    expect(await team.run('apply --yes')).toMatchObject(said('Applied to staging: 1 updated.'));
    const thumbnail = 'https://cdn.example/iron-sword.png';
    const put = {
      method: 'PUT',
      body: { name: 'Steel Sword', rollNumerator: 40, attributes: [], thumbnail },
    };
    expect(team.gateway.exchanges.slice(sent)).toMatchObject([put]);
    await team.project.edit('catalog/game.yaml', '  torch:', '  lamp:');
    await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]');
    expect(await team.run('apply --yes')).toMatchObject(said('Applied to staging: 1 renamed.\n'));
    expect(team.gateway.exchanges).toHaveLength(sent + 1);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('retires a removed item without a request and revives it with the same ID', async () => {
    await using team = await appliedTeam();
    const { id } = (await team.recorded()).live['item.torch'] ?? { id: '' };
    const text = await team.project.read('catalog/game.yaml');
    await team.project.edit('catalog/game.yaml', '  torch:\n    name: Torch\n    rollNumerator: 100\n', '');
    const sent = team.gateway.exchanges.length;
    expect(await team.run('apply --yes')).toMatchObject(said('1 retired.'));
    expect(team.gateway.exchanges).toHaveLength(sent);
    const { live, retired } = await team.recorded();
    expect([live['item.torch'], retired]).toMatchObject([undefined, [{ address: 'item.torch', id }]]);

    await team.project.write('catalog/game.yaml', text);
    expect(await team.run('apply --yes')).toMatchObject(said('1 revived.'));
    expect(team.gateway.exchanges.slice(sent)).toMatchObject([{ method: 'PUT', path: `/items/${id}` }]);
    expect((await team.recorded()).retired).toEqual([]);
  });
});

test('every record contains the catalog and commit it was written from', async () => {
  await using team = await createTeam(smallCatalog);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example', ...args], {
      cwd: team.project.folder,
      encoding: 'utf8',
    }).trim();
  const originOf = async (address: `item.${string}`) => (await team.recorded()).live[address]?.origin;

  git('init', '-q');
  await team.run('apply --yes --new-environment --target item.torch');
  expect(await originOf('item.torch')).toEqual({ catalog: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });

  git('add', '.');
  git('commit', '-qm', 'catalog');
  await team.run('apply --yes --target item.oak-bow');
  const committed = { catalog: expect.any(String), commit: git('rev-parse', 'HEAD') };
  expect(await originOf('item.oak-bow')).toEqual(committed);
  expect(await originOf('item.torch')).not.toHaveProperty('commit');
  expect((await team.run('state show item.oak-bow')).stdout).toMatch(/^ {2}commit +[0-9a-f]{40}$/m);

  await team.project.edit('catalog/game.yaml', 'Oak Bow', 'Elm Bow');
  await team.run('apply --yes');
  expect((await originOf('item.oak-bow'))?.commit).toBe(`${committed.commit}-dirty`);
});
