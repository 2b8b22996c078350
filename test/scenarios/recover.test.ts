import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/plan/model.ts';
import { finished } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, statePath, type Team } from '../rig/team.ts';

const profile =
  'profile: { itemCreate.clientId: honoured, update.unknownId: rejected, itemUpdate.classifierOptionIds: by-classifier, itemUpdate.assignments: replace }\n';
const newItem = '  map: { name: Map, rollNumerator: 3 }\n';

/** Everything is in the service, the state is lost, and an item was added since. */
async function lost(): Promise<{ readonly team: Team; readonly ids: Readonly<Record<string, string>> }> {
  const team = await appliedTeam(smallCatalog, profile);
  const { live } = await team.recorded();
  await rm(join(team.project.folder, statePath));
  await team.project.write('catalog/game.yaml', smallCatalog['catalog/game.yaml'] + newItem);
  return {
    team,
    ids: Object.fromEntries(Object.entries(live).map(([address, { id }]) => [address, id])),
  };
}

function expectOnce(team: Team): void {
  const ledger = team.service.ledger();
  expect(ledger.map(({ name }) => name).sort()).toEqual([
    'Iron Sword',
    'Map',
    'Oak Bow',
    'Rarity',
    'Slot',
    'Torch',
  ]);
  expect(ledger.filter(({ createdTimes }) => createdTimes !== 1)).toEqual([]);
}

test('after a recovery a plain apply creates nothing that was not found yet, until a person names it', async () => {
  const { team, ids } = await lost();
  await using _ = team;
  expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
  const again = await team.run('apply --yes');
  expect(again.stdout).toContain('The state was lost: what it does not know may exist');
  expect(again.stderr).not.toContain('follow');
  expect(await team.run('doctor')).toMatchObject({
    stdout: expect.stringMatching(/warn\s+state.*recovery is not\s+finished/s),
  });
  for (const address of ['classifier.rarity', 'classifier.slot'])
    expect(await team.run(`import ${address} ${ids[address]}`)).toMatchObject({ code: 0 });
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expectOnce(team);
  const { live } = await team.recorded();
  for (const [address, id] of Object.entries(ids)) expect(live[address as keyof typeof live]?.id).toBe(id);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
}, 60_000);

test('what was found waits for the classifiers that were not, whatever the profile allows, and nothing is replaced', async () => {
  const { team, ids } = await lost();
  await using _ = team;
  expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
  for (const shape of ['by-classifier', 'unsupported']) {
    await team.project.edit(
      'catalog/environments/staging.yaml',
      /classifierOptionIds: [a-z-]+/.exec(
        await team.project.read('catalog/environments/staging.yaml'),
      )?.[0] ?? '',
      `classifierOptionIds: ${shape}`,
    );
    const { stdout } = await team.run('plan --format json');
    const changes = (JSON.parse(stdout) as Plan).changes.filter(({ kind }) => kind === 'item');
    expect(changes).toMatchObject([
      {
        address: 'item.iron-sword',
        action: 'waiting',
        fields: [{ path: 'classifiers.rarity' }, { path: 'classifiers.slot' }],
        reason: 'waits for classifier.rarity (blocked) and classifier.slot (blocked)',
      },
      {
        address: 'item.oak-bow',
        action: 'waiting',
        fields: [{ path: 'classifiers.rarity' }],
        reason: 'waits for classifier.rarity (blocked)',
      },
    ]);
  }
  for (const address of ['classifier.rarity', 'classifier.slot'])
    expect(await team.run(`import ${address} ${ids[address]}`)).toMatchObject({ code: 0 });
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
}, 60_000);

test('killed at any request, a recovery goes on in a plain apply', async () => {
  for (const killAt of [0, 2, 4, 7, 10]) {
    const { team, ids } = await lost();
    await using _ = team;
    await team.run(`import classifier.rarity ${ids['classifier.rarity']} --new-environment`);
    const before = team.gateway.exchanges.length;
    const child = team.project.start('apply --yes --recover', { env: team.env });
    team.gateway.decide = (_exchange, index) => {
      if (index - before === killAt) child.kill('SIGKILL');
      return 'pass';
    };
    await finished(child);
    team.gateway.decide = () => 'pass';
    await team.run('apply --yes');
    await team.run(`import classifier.slot ${ids['classifier.slot']}`);
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expectOnce(team);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  }
}, 120_000);
