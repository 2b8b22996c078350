import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { appliedTeam, statePath } from '../rig/team.ts';

describe('the example catalog on the embedded service', () => {
  test('is applied, and a second apply sends nothing', async () => {
    await using project = await createProject();
    const first = await project.run('apply --yes');
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Applied to local: 78 created.'),
    });
    const before = await project.read('catalog/.trove/local.state.json');
    const second = await project.run('apply');
    expect(second).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Nothing to change: 78 unchanged.'),
    });
    expect(await project.read('catalog/.trove/local.state.json')).toBe(before);
  });

  test('every record is as declared: nothing diverged', async () => {
    await using project = await createProject();
    await project.run('apply --yes');
    const { live } = recorded(await project.state());
    expect(Object.keys(live)).toHaveLength(78);
    expect(Object.values(live).filter(({ confidence }) => confidence !== 'verified')).toEqual([]);
  });

  test('two fresh runs give the same item ids', async () => {
    const ids = async () => {
      await using project = await createProject();
      await project.run('apply --yes');
      const { live } = recorded(await project.state());
      return Object.entries(live).flatMap(([address, { id }]) =>
        address.startsWith('item.') ? [[address, id]] : [],
      );
    };
    expect(await ids()).toEqual(await ids());
  });
});

describe('a team over HTTP', () => {
  test('creates classifiers before items, with the option ids of the answers', async () => {
    await using team = await appliedTeam();
    const { exchanges } = team.gateway;
    expect(exchanges.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /classifiers',
      'POST /classifiers',
      'POST /items',
      'POST /items',
      'POST /items',
    ]);
    const options = exchanges
      .slice(0, 2)
      .flatMap(({ answer }) => answer?.classifierOptions as { id: string; name: string }[]);
    const idOf = (name: string) => options.find((option) => option.name === name)?.id;
    const sword = exchanges.find(({ body }) => body.name === 'Iron Sword');
    expect(sword?.body.classifierOptionIds).toEqual([idOf('Common'), idOf('Main Hand'), idOf('Off Hand')]);
  });

  test('an edited name becomes one PUT, and nothing after it', async () => {
    await using team = await appliedTeam();
    const sent = team.gateway.exchanges.length;
    await team.project.edit('catalog/game.yaml', 'name: Iron Sword', 'name: Steel Sword');
    const applied = await team.run('apply --yes');
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Applied to staging: 1 updated.'),
    });
    expect(applied.stdout).toContain('name  "Iron Sword" -> "Steel Sword"');
    expect(team.gateway.exchanges.slice(sent)).toMatchObject([
      {
        method: 'PUT',
        body: {
          name: 'Steel Sword',
          rollNumerator: 40,
          attributes: [],
          thumbnail: 'https://cdn.example/iron-sword.png',
        },
      },
    ]);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a rename alone is recorded, and apply says so', async () => {
    await using team = await appliedTeam();
    await team.project.edit('catalog/game.yaml', '  torch:', '  lamp:');
    await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]');
    const sent = team.gateway.exchanges.length;
    expect(await team.run('apply --yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Applied to staging: 1 renamed.\n'),
    });
    expect(team.gateway.exchanges).toHaveLength(sent);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a removed item is retired without a request, keeps its id, and is revived with it', async () => {
    await using team = await appliedTeam();
    const { id } = (await team.recorded()).live['item.torch'] ?? { id: '' };
    const text = await team.project.read('catalog/game.yaml');
    await team.project.edit('catalog/game.yaml', '  torch:\n    name: Torch\n    rollNumerator: 100\n', '');
    const sent = team.gateway.exchanges.length;
    expect(await team.run('apply --yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 retired.'),
    });
    expect(team.gateway.exchanges).toHaveLength(sent);
    const state = await team.project.state(statePath);
    expect(recorded(state).live['item.torch']).toBeUndefined();
    expect(recorded(state).retired).toMatchObject([{ address: 'item.torch', id }]);

    await team.project.write('catalog/game.yaml', text);
    expect(await team.run('apply --yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 revived.'),
    });
    expect(team.gateway.exchanges.slice(sent).map(({ method, path }) => [method, path])).toEqual([
      ['PUT', `/items/${id}`],
    ]);
    expect((await team.recorded()).retired).toEqual([]);
  });

  test('what the interface can not change is blocked, with the ways out, and the rest is done', async () => {
    await using team = await appliedTeam();
    await team.project.edit('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
    await team.project.edit('catalog/game.yaml', 'name: Rarity', 'name: Scarcity');
    const applied = await team.run('apply --yes');
    expect(applied).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Applied to staging: 1 updated, 1 blocked.'),
    });
    expect(applied.stdout).toContain('options.rare  "Rare" x0.25 -> "Rare" x0.5');
    expect(applied.stdout).toContain('(API section 4.4)');
    const again = await team.run('plan');
    expect(again).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Plan: 1 blocked; 4 unchanged.'),
    });
  });

  test('the state and its folder are private, and hold no secret', async () => {
    await using team = await appliedTeam();
    const { mode } = await stat(join(team.project.folder, statePath));
    expect(mode & 0o777).toBe(0o600);
    expect(await team.project.read(statePath)).not.toContain(team.env.TROVE_PASSWORD);
  });
});
