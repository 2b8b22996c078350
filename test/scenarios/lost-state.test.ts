import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/catalog/model.ts';
import type { Plan } from '../../src/plan/model.ts';
import { isRefereed } from '../rig/gateway.ts';
import { createProject, expectRefused, unwrapped } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath, type Team } from '../rig/team.ts';

const profile =
  'profile: { itemCreate.clientId: honoured, update.unknownId: rejected, itemUpdate.classifierOptionIds: by-classifier, itemUpdate.assignments: replace }\n';
const notePath = 'catalog/.trove/staging.newest.json';
const newItem = '  map: { name: Map, rollNumerator: 3 }\n';

const lamp = '  lamp: { name: Lamp, rollNumerator: 3 }\n';

interface Lost extends AsyncDisposable {
  readonly team: Team;
  readonly ids: Readonly<Record<string, string>>;
}

const idsOf = (live: ReturnType<typeof recorded>['live']) =>
  Object.fromEntries(Object.entries(live).map(([address, { id }]) => [address, id]));

/** Everything is in the service, and the state is gone; this machine never had it. */
async function lost(settings = ''): Promise<Lost> {
  const team = await appliedTeam(smallCatalog, settings);
  const ids = idsOf((await team.recorded()).live);
  for (const path of [statePath, notePath]) await rm(join(team.project.folder, path));
  return { team, ids, [Symbol.asyncDispose]: () => team[Symbol.asyncDispose]() };
}

const addMap = ({ project }: Team) => project.edit('catalog/game.yaml', '  torch:', `${newItem}  torch:`);
const refusedAsPartial = { code: 1, stderr: expect.stringContaining('[partial-state]') };

function expectOnce({ service }: Team, ...names: readonly string[]): void {
  const ledger = service.ledger();
  expect(ledger.map(({ name }) => name).sort()).toEqual([
    ...['Iron Sword', ...names, 'Oak Bow', 'Rarity', 'Slot', 'Torch'],
  ]);
  expect(ledger.filter(({ createdTimes }) => createdTimes !== 1)).toEqual([]);
}

test('an update that created a record with another ID is pending until resolve confirms it', async () => {
  const catalog =
    'attributes: { damage: {} }\nitems: { axe: { name: Axe, rollNumerator: 1, attributes: { damage: { min: 1, max: 2 } } } }';
  const settings = `attributes: { damage: attr_1 }\n${profile}`;
  await using team = await createTeam({ 'catalog/a.yaml': catalog }, settings, {
    'update.unknownId': 'created',
  });
  team.gateway.decide = () => ({ rewrite: (answer) => ({ ...answer, id: 'own-1' }) });
  const stopped = await team.run('apply --yes --recover');
  expect(stopped).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('trove resolve item.axe -e staging --id ID'),
  });
  team.gateway.decide = () => 'pass';
  const listed = await team.run('resolve');
  expect(listed).toMatchObject({ code: 4, stdout: expect.stringContaining('record own-1 of team team_7') });
  expect(await team.run('apply --yes --recover')).toMatchObject({ code: 4 });
  expect(team.gateway.exchanges).toHaveLength(1);
  expect(await team.run('resolve item.axe --id own-1')).toMatchObject({ code: 0 });
  expect(team.gateway.exchanges[1]?.body).toEqual(team.gateway.exchanges[0]?.body);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

describe('a state started', () => {
  test('by an import needs --new-environment or --recover before other creates', async () => {
    await using there = await lost();
    const { team, ids } = there;
    const before = team.gateway.count('POST');
    await team.run(`import classifier.rarity ${ids['classifier.rarity']} --new-environment`);
    const planned = await team.run('plan --out plan.json');
    expect(planned.stdout).toContain('Apply refuses this plan');
    expect(unwrapped(planned.stderr)).toContain('trove apply plan.json --new-environment');
    for (const [command, begin] of [
      ['apply --yes', 'trove apply -e staging --new-environment'],
      ['apply plan.json', 'trove apply plan.json --new-environment'],
    ] as const) {
      const refused = await team.run(command);
      expect(refused).toMatchObject(refusedAsPartial);
      for (const way of ['trove apply -e staging --recover', begin])
        expect(unwrapped(refused.stderr)).toContain(way);
    }
    expect((await team.run('doctor')).stdout).toMatch(/^warn\s+state .*started by\s+an\s+import/ms);
    expect(team.gateway.count('POST')).toBe(before);
    await team.run(`import classifier.slot ${ids['classifier.slot']}`);
    expect(await team.run('apply --yes --target classifier.slot')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 1 });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 1 });
    // The service has the IDs of the items: it refused them.
    expectOnce(team);
    expect(await team.project.state(statePath)).not.toHaveProperty('partial');
  });

  // A probe tries on purpose what is not documented.
  test.skipIf(isRefereed).each([-1, 0, 1])(
    'by a probe needs --recover before creates (killed at %s)',
    async (killAt) => {
      await using there = await lost();
      const { team } = there;
      await team.endedAt(killAt, 'probe --yes --new-environment');
      const sent = team.gateway.count('POST');
      expect(await team.run('apply --yes')).toMatchObject(refusedAsPartial);
      await team.run('apply --yes --recover');
      expect(team.gateway.count('POST')).toBe(sent);
      const state = await team.project.state(statePath);
      expect([state, 'partial' in state]).toMatchObject([{ recovering: {} }, false]);
    },
  );
});

test('a lost state does not start over on a machine that applied it before', async () => {
  await using team = await appliedTeam();
  const sent = team.gateway.exchanges.length;
  await rm(join(team.project.folder, statePath));
  for (const command of [
    'apply --yes',
    'apply --yes --new-environment',
    'plan',
    'import item.torch t-1 --new-environment',
    'import item.torch t-1',
    'probe --yes --new-environment',
    'probe --yes',
  ])
    expectRefused(
      { ...(await team.run(command)), stdout: '' },
      '[state-gone]',
      'trove apply -e staging --recover',
    );
  expect((await team.run('doctor')).stdout).toMatch(/^FAIL +state +the state of environment staging/m);
  expect(team.gateway.count('POST', 'PUT')).toBe(sent);
  await rm(join(team.project.folder, notePath));
  expect(await team.run('plan')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--new-environment'),
  });
});

test('a copy pulled after a crash restores the state with everything in the journal', async () => {
  await using team = await appliedTeam();
  await team.project.write('catalog/cap.yaml', `items:\n  cap: { name: Cap, rollNumerator: 2 }\n${lamp}`);
  const before = await team.project.read(statePath);
  await team.endedAt(1, 'apply --yes');
  const copy = await team.run('state pull');
  await rm(join(team.project.folder, statePath));
  await team.project.write(statePath, copy.stdout);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  expect(team.service.ledger().map(({ createdTimes }) => createdTimes)).toEqual(Array(7).fill(1));
  // What was stored before the crash lacks what the copy has.
  await team.project.write(statePath, before);
  expect(await team.run('apply --yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('[older-state]'),
  });
});

test('the embedded service without its state creates no item a second time', async () => {
  await using project = await createProject(smallCatalog);
  expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
  const { live } = recorded(await project.state());
  const classifiers = Object.entries(live).filter(([address]) => address.startsWith('classifier.'));
  await project.write('ids.yaml', classifiers.map(([address, { id }]) => `${address}: "${id}"\n`).join(''));
  await rm(join(project.folder, 'catalog/.trove/local.state.json'));
  const refused = { code: 1, stderr: expect.stringContaining('[state-gone]') };
  expect(await project.run('apply --yes')).toMatchObject(refused);
  const { code, stdout } = await project.run('doctor');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^FAIL +state +the state is missing/m)]);
  expect(await project.run('import --file ids.yaml --yes')).toMatchObject({ code: 0 });
  expect(await project.run('apply --yes')).toMatchObject(refusedAsPartial);
  expect(await project.run('apply --yes --recover')).toMatchObject({ code: 0 });
  expect(idsOf(recorded(await project.state()).live)).toEqual(idsOf(live));
});

test("a second environment of one team can't start its own state", async () => {
  await using team = await appliedTeam();
  const settings = `baseUrl: ${team.gateway.url}\nteamId: team_7\n`;
  await team.project.write('catalog/environments/twin.yaml', settings);
  const sent = team.gateway.exchanges.length;
  await team.project.write('pulled.json', (await team.run('state pull')).stdout);
  for (const command of [
    'apply --yes --new-environment',
    'import item.torch some-id --new-environment',
    'probe --yes --new-environment',
    'state push pulled.json',
  ]) {
    const refused = await team.run(`${command} -e twin`);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[shared-team]') });
  }
  expect(await team.run('apply --yes -e twin -e staging --new-environment')).toMatchObject({ code: 1 });
  expect(team.gateway.exchanges).toHaveLength(sent);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
});

describe('a recovery', () => {
  async function importAll(team: Team, ids: Lost['ids'], ...addresses: readonly string[]): Promise<void> {
    for (const address of addresses)
      expect(await team.run(`import ${address} ${ids[address]}`)).toMatchObject({ code: 0 });
  }

  test('creates nothing not found, and found items wait until their classifiers are imported', async () => {
    await using there = await lost(profile);
    const { team, ids } = there;
    await addMap(team);
    expect(await team.run('apply --yes --recover')).toMatchObject({ code: 3 });
    const again = await team.run('apply --yes');
    expect(again.code).toBe(3);
    expect((await team.run('doctor')).stdout).toMatch(/^warn\s+state /m);
    const waiting = [
      { address: 'item.iron-sword', fields: [{ path: 'classifiers.rarity' }, { path: 'classifiers.slot' }] },
      { address: 'item.oak-bow', fields: [{ path: 'classifiers.rarity' }] },
    ].map((each) => ({ ...each, action: 'waiting' }));
    const environment = 'catalog/environments/staging.yaml';
    for (const shape of ['by-classifier', 'unsupported']) {
      await team.project.edit(
        environment,
        'classifierOptionIds: by-classifier',
        `classifierOptionIds: ${shape}`,
      );
      const { changes } = JSON.parse((await team.run('plan --format json')).stdout) as Plan;
      expect(changes.filter(({ kind }) => kind === 'item')).toMatchObject(waiting);
    }
    await importAll(team, ids, 'classifier.rarity', 'classifier.slot');
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expectOnce(team, 'Map');
    const { live } = await team.recorded();
    for (const [address, id] of Object.entries(ids)) expect(live[address as Address]?.id).toBe(id);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test.each([0, 2, 4, 7, 10])('killed at request %i continues in a plain apply', async (killAt) => {
    await using there = await lost(profile);
    const { team, ids } = there;
    await addMap(team);
    await team.run(`import classifier.rarity ${ids['classifier.rarity']} --new-environment`);
    await team.endedAt(killAt, 'apply --yes --recover');
    await team.run('apply --yes');
    await importAll(team, ids, 'classifier.slot');
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expectOnce(team, 'Map');
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });
});
