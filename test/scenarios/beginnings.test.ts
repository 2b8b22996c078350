import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRefereed } from '../rig/gateway.ts';
import { createProject, finished, unwrapped } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, statePath, type Team } from '../rig/team.ts';

/** Everything is in the service, and the state is gone. */
async function lost(): Promise<{ readonly team: Team; readonly ids: Readonly<Record<string, string>> }> {
  const team = await appliedTeam();
  const { live } = await team.recorded();
  await rm(join(team.project.folder, statePath));
  return {
    team,
    ids: Object.fromEntries(Object.entries(live).map(([address, { id }]) => [address, id])),
  };
}

const creates = ({ gateway }: Team) => gateway.count('POST');

describe('a state that no apply has begun', () => {
  test('of an import: what was not imported is not created before a person calls it new', async () => {
    const { team, ids } = await lost();
    await using _ = team;
    const before = creates(team);
    await team.run(`import classifier.rarity ${ids['classifier.rarity']} --new-environment`);
    const planned = await team.run('plan --out plan.json');
    expect(unwrapped(planned.stdout)).toContain(
      'Apply refuses this plan: the state was begun by an import, and',
    );
    expect(unwrapped(planned.stderr)).toContain('trove apply plan.json --new-environment');
    for (const command of ['apply --yes', 'apply plan.json']) {
      const refused = await team.run(command);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[partial-state]') });
      expect(unwrapped(refused.stderr)).toContain(
        'if its state was lost: trove apply -e staging --recover; if they are really new: trove apply -e staging --new-environment',
      );
    }
    expect(await team.run('doctor')).toMatchObject({
      stdout: expect.stringMatching(/warn\s+state .*begun by\s+an\s+import/s),
    });
    expect(creates(team)).toBe(before);
    await team.run(`import classifier.slot ${ids['classifier.slot']}`);
    expect(await team.run('apply --yes --target classifier.slot')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 1 });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 1 });
    // The service knows the ids of the items: it has refused them.
    expect(team.service.ledger()).toHaveLength(5);
    expect(await team.project.state(statePath)).not.toHaveProperty('partial');
  }, 60_000);

  test('of an import of everything: nothing is asked, then or for what is declared later', async () => {
    const { team, ids } = await lost();
    await using _ = team;
    const rows = Object.entries(ids).map(([address, id]) => `${address}: "${id}"\n`);
    await team.project.write('ids.yaml', rows.join(''));
    await team.run('import --file ids.yaml --yes --new-environment');
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    await team.project.edit(
      'catalog/game.yaml',
      '  torch:',
      '  map: { name: Map, rollNumerator: 3 }\n  torch:',
    );
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(team.service.ledger()).toHaveLength(6);
  }, 60_000);

  test('what a person names as new is created, and what else is not known still waits', async () => {
    const { team, ids } = await lost();
    await using _ = team;
    const known = Object.entries(ids).filter(([address]) => address !== 'classifier.slot');
    await team.project.write('ids.yaml', known.map(([address, id]) => `${address}: "${id}"\n`).join(''));
    await team.run('import --file ids.yaml --yes --new-environment');
    await team.project.edit(
      'catalog/game.yaml',
      '  torch:',
      '  map: { name: Map, rollNumerator: 3 }\n  torch:',
    );
    const before = creates(team);
    expect(await team.run('apply --yes --confirm-new item.map')).toMatchObject({ code: 1 });
    expect(creates(team)).toBe(before);
    await team.run('apply --yes --target item.map --confirm-new item.map');
    expect(await team.run('apply --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('classifier.slot'),
    });
    expect(creates(team)).toBe(before + 1);
  }, 60_000);

  // A probe asks on purpose what is not documented.
  test.skipIf(isRefereed)(
    'of a probe, also one that was killed',
    async () => {
      for (const killAt of [undefined, 0, 1]) {
        const { team } = await lost();
        await using _ = team;
        const before = team.gateway.exchanges.length;
        const child = team.project.start('probe --yes --new-environment', { env: team.env });
        team.gateway.decide = (_exchange, index) => {
          if (index - before === killAt) child.kill('SIGKILL');
          return 'pass';
        };
        await finished(child);
        team.gateway.decide = () => 'pass';
        const sent = creates(team);
        expect(await team.run('apply --yes')).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('[partial-state]'),
        });
        expect(creates(team)).toBe(sent);
        expect(await team.run('apply --yes --recover')).toMatchObject({
          stdout: expect.stringContaining('The state was lost'),
        });
        expect(creates(team)).toBe(sent);
        expect(await team.project.state(statePath)).not.toHaveProperty('partial');
      }
    },
    120_000,
  );
});

describe('the embedded service without its state', () => {
  test('is not filled a second time, by apply or after an import: its items are found again', async () => {
    await using project = await createProject(smallCatalog);
    expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
    const { live } = recorded(await project.state());
    const ids = Object.entries(live).flatMap(([address, { id }]) =>
      address.startsWith('classifier.') ? [`${address}: "${id}"\n`] : [],
    );
    await project.write('ids.yaml', ids.join(''));
    await rm(join(project.folder, 'catalog/.trove/local.state.json'));
    const refused = await project.run('apply --yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[state-gone]') });
    expect(await project.run('import --file ids.yaml --yes')).toMatchObject({ code: 0 });
    expect(await project.run('apply --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[partial-state]'),
    });
    expect(await project.run('apply --yes --recover')).toMatchObject({ code: 0 });
    const idsOf = (state: typeof live) => Object.entries(state).map(([address, { id }]) => [address, id]);
    expect(idsOf(recorded(await project.state()).live)).toEqual(idsOf(live));
  }, 60_000);
});

test('a second environment of one team begins no state of its own', async () => {
  await using team = await appliedTeam();
  const settings = `baseUrl: ${team.gateway.url}\nteamId: team_7\n`;
  await team.project.write('catalog/environments/twin.yaml', settings);
  const sent = team.gateway.exchanges.length;
  await team.project.write('pulled.json', (await team.run('state pull')).stdout);
  const begin = ['apply --yes', 'import item.torch some-id', 'probe --yes'].map(
    (command) => `${command} --new-environment`,
  );
  for (const command of [...begin, 'state push pulled.json']) {
    const refused = await team.run(`${command} -e twin`);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[shared-team]') });
  }
  expect(await team.run('apply --yes -e twin -e staging --new-environment')).toMatchObject({ code: 1 });
  expect(team.gateway.exchanges).toHaveLength(sent);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
}, 60_000);
