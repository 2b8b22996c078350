import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { State } from '../../src/state/model.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

/** A team whose records are all there and whose state is gone, with the ids that it knew. */
async function withLostState(settings = ''): Promise<{ team: Team; lost: State }> {
  const team = await createTeam(smallCatalog, settings);
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
  const lost = await team.project.state(statePath);
  await rm(join(team.project.folder, statePath));
  return { team, lost };
}

function creates({ gateway }: Team): number {
  return gateway.exchanges.filter(({ method }) => method === 'POST').length;
}

describe('a lost state', () => {
  test('a recovery that could find nothing does not make everything new for the next apply', async () => {
    const { team, lost } = await withLostState();
    await using _ = team;
    const before = creates(team);
    const recovery = await team.run('apply --yes --recover');
    expect(recovery).toMatchObject({ code: 3, stdout: expect.stringContaining('5 blocked') });
    expect(recovery.stderr).toBe('');
    expect(await team.run('apply --yes')).toMatchObject({ code: 3 });
    expect(await team.run('plan --format json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('"recover": true'),
    });
    expect(await team.run('doctor')).toMatchObject({ stdout: expect.stringContaining('being recovered') });
    expect(creates(team)).toBe(before);
    for (const [address, { id }] of Object.entries(lost.resources)) {
      expect(await team.run(`import ${address} ${id}`)).toMatchObject({ code: 0 });
    }
    // The classifiers are written first, so that the items can refer to what they answer.
    await team.run('apply --yes');
    await team.run('apply --yes');
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    expect(creates(team)).toBe(before);
    expect(await team.project.state(statePath)).not.toHaveProperty('recovering');
  });

  test('a recovery that was half done goes on, and what comes later is new again', async () => {
    const profile =
      'profile: { itemCreate.clientId: honoured, update.unknownId: rejected, itemUpdate.classifierOptionIds: by-classifier }\n';
    const { team, lost } = await withLostState(profile);
    await using _ = team;
    const before = creates(team);
    // The items that need a classifier wait for it.
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 1 });
    expect(Object.keys((await team.project.state(statePath)).resources)).toContain('item.torch');
    await team.run('apply --yes');
    for (const address of ['classifier.rarity', 'classifier.slot'] as const) {
      await team.run(`import ${address} ${lost.resources[address]?.id}`);
    }
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(creates(team)).toBe(before);
    await team.project.write('catalog/more.yaml', 'classifiers: { tier: { name: Tier, options: {} } }');
    expect(await team.run('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 to create') });
  });

  test('an old copy of the state counts as one that lacks something', async () => {
    const { team, lost } = await withLostState();
    await using _ = team;
    const { 'classifier.slot': slot, ...resources } = lost.resources;
    await team.project.write(statePath, JSON.stringify({ ...lost, resources }));
    const before = creates(team);
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 3 });
    expect(creates(team)).toBe(before);
    await team.run(`import classifier.slot ${slot?.id}`);
    await team.run('apply --yes');
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await team.project.state(statePath)).not.toHaveProperty('recovering');
  });

  test('where nothing is lost, --recover changes nothing', async () => {
    await using team = await createTeam(smallCatalog);
    await team.run('apply --yes --new-environment');
    const before = await team.project.read(statePath);
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 0 });
    expect(await team.project.read(statePath)).toBe(before);
  });

  test('apply, plan and doctor without a state name the way to recover', async () => {
    const { team } = await withLostState();
    await using _ = team;
    for (const command of ['apply --yes', 'import item.torch ID', 'probe --yes', 'doctor']) {
      const { stdout, stderr } = await team.run(command);
      expect(stdout + stderr, command).toContain('trove apply -e staging --recover');
    }
    const saved = await team.run('plan --recover --out plan.json');
    expect(saved.stderr).toContain('trove apply plan.json -e staging\n');
  });
});
