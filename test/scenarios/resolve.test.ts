import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unclear } from '../rig/gateway.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath, type Team } from '../rig/team.ts';

const profile =
  'profile: { itemUpdate.classifierOptionIds: by-classifier, itemUpdate.assignments: replace }\n';

/** The create of a classifier whose answer is lost, and what the service made of it. */
async function lost(team: Team, args: string): Promise<string> {
  const before = team.gateway.exchanges.length;
  team.onCreate('Slot', 'cut-after');
  expect(await team.run(args)).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  const create = team.gateway.exchanges.slice(before).find(({ body }) => body.name === 'Slot');
  return String(create?.answer?.id);
}

test('the new record of a replacement cut short is resolved; the old one is not taken for it', async () => {
  await using team = await appliedTeam(smallCatalog, profile);
  const { 'classifier.slot': old } = (await team.recorded()).live;
  const id = await lost(team, 'apply --yes --replace classifier.slot');
  expect(await team.run(`resolve classifier.slot --id ${old?.id}`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/had\s+before/),
  });
  // A wrong id leaves the record in use as it was, whatever becomes of the update.
  team.gateway.decide = () => unclear;
  expect(await team.run('resolve classifier.slot --id wrong')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  expect(await team.run('resolve classifier.slot --id wrong')).toMatchObject({ code: 1 });
  expect((await team.recorded()).live['classifier.slot']).toEqual(old);
  expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  expect(await team.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 updated'),
  });
  const { live, retired } = await team.recorded();
  expect(live['classifier.slot']?.id).toBe(id);
  expect(retired).toMatchObject([{ address: 'classifier.slot', id: old?.id }]);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('an id that nobody has is not taken for a classifier, where an update creates it', async () => {
  await using team = await createTeam(smallCatalog, profile, { 'update.unknownId': 'created' });
  const id = await lost(team, 'apply --yes --new-environment');
  expect(await team.run('resolve classifier.slot --id typo')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/none of the options/),
  });
  expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
});

test.each([
  ['an answer that proves nothing', unclear, 4, /still pending/],
  ['another record', { rewrite: (answer: object) => ({ ...answer, id: 'other' }) }, 4, /record other/],
  ['a conflict', { status: 409, body: '{}' }, 1, /update conflicts/],
] as const)(
  'after %s to the update the create is pending, and the exit code says so',
  async (_, fate, code, told) => {
    await using team = await createTeam(smallCatalog, profile);
    const id = await lost(team, 'apply --yes --new-environment');
    team.gateway.decide = () => fate;
    const result = await team.run(`resolve classifier.slot --id ${id}`);
    expect([result.code, result.stderr.replace(/\s+/g, ' ')]).toEqual([code, expect.stringMatching(told)]);
    expect((await team.recorded()).pending).toMatchObject([{ address: 'classifier.slot' }]);
  },
);

test('a word that is refused before anything is sent leaves no rename behind', async () => {
  await using team = await createTeam(smallCatalog, profile);
  const id = await lost(team, 'apply --yes --new-environment');
  await team.project.edit('catalog/game.yaml', 'torch:', 'lamp:');
  await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]\n');
  const refused = await team.run(`resolve classifier.slot --id ${id}`, { env: { TROVE_PASSWORD: '' } });
  expect(refused).toMatchObject({ code: 1 });
  expect(existsSync(join(team.project.folder, `${statePath}.journal`))).toBe(false);
  expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  expect((await team.recorded()).live).toHaveProperty(['item.lamp']);
});

test('a replacement that did not happen leaves the old record in use, and says so', async () => {
  await using team = await appliedTeam(smallCatalog, profile);
  const old = (await team.recorded()).live['classifier.slot']?.id;
  await lost(team, 'apply --yes --replace classifier.slot');
  const result = await team.run('resolve classifier.slot --not-created');
  expect(result.stdout).toContain(`its record ${old} stays in use`);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('a pending create that `moved` renames goes by its new address, and keeps its options', async () => {
  await using team = await createTeam(smallCatalog, profile);
  const id = await lost(team, 'apply --yes --new-environment');
  const text = (await team.project.read('catalog/game.yaml')).replaceAll('slot:', 'place:');
  await team.project.write(
    'catalog/game.yaml',
    `${text}moved: [{ from: classifier.slot, to: classifier.place }]\n`,
  );
  const plan = await team.run('plan');
  expect(plan.stdout).toContain('trove resolve classifier.place -e staging --id ID');
  expect(await team.run('resolve')).toMatchObject({ stdout: expect.stringContaining('? classifier.place') });
  expect(await team.run(`resolve classifier.place --id ${id}`)).toMatchObject({ code: 0 });
  const { live } = await team.recorded();
  expect(Object.keys(live['classifier.place']?.options ?? {})).toEqual(['main-hand', 'off-hand']);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

/** The create of an item whose answer is lost, as are those of its repetitions. */
async function torchLost(team: Team): Promise<void> {
  team.onCreate('Torch', 'unclear-after');
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
}

test.each([
  [
    'profile: { itemCreate.clientId: honoured }\n',
    {},
    'trove apply -e staging, which sends the same id again; else',
  ],
  ['', {}, 'trove apply -e staging, which sends the same id again; else'],
  ['profile: { itemCreate.clientId: ignored }\n', { 'itemCreate.clientId': 'ignored' }, undefined],
  ['', { 'itemCreate.clientId': 'ignored' }, undefined],
] as const)('what is known of ids is said, with %j and a service of %j', async (settings, dialect, again) => {
  await using team = await createTeam(smallCatalog, settings, dialect);
  await torchLost(team);
  for (const command of ['resolve', 'state show item.torch']) {
    const { stdout } = await team.run(command);
    const first = again ?? 'trove resolve item.torch -e staging --id ID';
    expect(stdout).toContain(`next      ${first}`);
  }
  const [change] = JSON.parse((await team.run('plan --format json')).stdout).changes;
  expect(change).toMatchObject({ address: 'item.torch', action: again ? 'create' : 'unknown' });
});

test('in another environment it leads to the list of all of them, and to no new state', async () => {
  await using team = await createTeam(smallCatalog);
  await torchLost(team);
  const env = { TROVE_ENV: 'local' };
  const refused = await team.run('resolve item.torch --not-created', { env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('trove env list')]);
  expect(refused.stderr).not.toMatch(/--recover|--new-environment/);
  expect((await team.run('env list')).stdout).toContain('1 unknown');
  await team.run('apply --yes', { env });
  expect(await team.run('resolve item.torch', { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('trove env list'),
  });
});
