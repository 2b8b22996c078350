import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, expectRefused } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath } from '../rig/team.ts';

const yaml = `item.torch: t-1
classifier.rarity: { id: c-1, options: { rare: o-1 } }
classifier.rarity.common: o-2
`;
const localState = 'catalog/.trove/local.state.json';

test.each([
  ['ids.yaml', yaml],
  [
    'ids.json',
    '{"item.torch":"t-1","classifier.rarity":{"id":"c-1","options":{"rare":"o-1","common":"o-2"}}}',
  ],
  [
    'ids.csv',
    'id,note,address\no-2,,classifier.rarity.common\nt-1,"a, b",item.torch\nc-1,,classifier.rarity\no-1,,classifier.rarity.rare\n',
  ],
])('import reads the same IDs from %s and sends nothing', async (name, text) => {
  await using team = await createTeam({ ...smallCatalog, [name]: text });
  const result = await team.run(`import --file ${name} --yes --new-environment`);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(/^& import {3}classifier\.rarity\.common +o-2$/m);
  expect(result.stdout).toContain('Recorded for staging: 2 records and 2 options.');
  const state = await team.project.state(statePath);
  const { imported, live } = recorded(state);
  expect([live, state.serial]).toEqual([{}, 1]);
  expect(imported).toMatchObject([
    { address: 'classifier.rarity', id: 'c-1', options: { rare: 'o-1', common: 'o-2' } },
    { address: 'item.torch', id: 't-1' },
  ]);
  expect(team.gateway.exchanges).toHaveLength(0);
});

test('import counts IDs already recorded, and a repeated import changes nothing', async () => {
  await using project = await createProject({ ...smallCatalog, 'ids.yaml': yaml });
  expect(await project.run('import item.torch t-1')).toMatchObject({ code: 0 });
  const second = await project.run('import --file ids.yaml --yes');
  expect(second.stdout).toContain('= known    item.torch                t-1');
  expect(second.stdout).toContain('Import: 1 record and 2 options; 1 record already recorded.');
  const before = await project.read(localState);
  // Nothing is to be recorded, so no confirmation is needed.
  const third = await project.run('import --file ids.yaml');
  expect(third).toMatchObject({ code: 0, stderr: '' });
  expect(third.stdout).toContain('Nothing to import: 2 records and 2 options already recorded.');
  expect(await project.read(localState)).toBe(before);
});

test.each(['ID', '<ID>'])('import refuses the placeholder %s of a printed command', async (placeholder) => {
  await using project = await createProject(smallCatalog);
  const refused = await project.run(`import item.torch ${placeholder}`);
  expectRefused(refused, "replace ID with the record's ID");
  expect(existsSync(join(project.folder, localState))).toBe(false);
});

test('import records nothing if the file has a problem, and also reports problems of the catalog', async () => {
  await using project = await createProject({ ...smallCatalog, 'ids.yaml': `${yaml}item.oak-bow: t-1\n` });
  expectRefused(await project.run('import --file ids.yaml --yes'), 'ids.yaml:4:15', 'ids.yaml:1:13');
  await project.edit('catalog/game.yaml', 'rarity: rare }', 'rarity: raer }');
  await project.write('ids.yaml', 'item.torch: 1\n');
  expectRefused(await project.run('import --file ids.yaml --yes'), 'ids.yaml:1:13', 'did you mean `rare`?');
  expect(existsSync(join(project.folder, localState))).toBe(false);
});

test('import --dry-run shows everything and records nothing, even without a state or with a lock', async () => {
  await using team = await createTeam({ ...smallCatalog, 'ids.yaml': yaml });
  const result = await team.run('import --file ids.yaml --dry-run');
  expect(result).toMatchObject({ code: 0, stderr: '\nDry run: nothing was recorded.\n' });
  expect(result.stdout).toContain('& import   item.torch                t-1');
  expect(existsSync(join(team.project.folder, statePath))).toBe(false);
  await team.project.write(`${statePath}.lock`, 'somebody');
  expect(await team.run('import --file ids.yaml --dry-run')).toMatchObject({ code: 0 });
  expect(await team.run('import item.torch t-1 --new-environment')).toMatchObject({ code: 5, stdout: '' });
});

test('import without a state prints the whole command for a new environment', async () => {
  await using team = await createTeam({ ...smallCatalog, 'my ids.yaml': yaml, 'ids.yaml': yaml });
  const one = 'trove import -e staging --new-environment item.torch t-1';
  expectRefused(await team.run('import item.torch t-1'), one);
  const file = 'trove import -e staging --new-environment --file ids.yaml';
  expectRefused(await team.run('import --file ids.yaml --yes'), file);
});

test('import of a file needs --yes without a terminal, but import of one ID does not', async () => {
  await using project = await createProject({ ...smallCatalog, 'my ids.yaml': yaml, 'ids.yaml': yaml });
  const refused = await project.run('import --file ids.yaml');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('trove import --dry-run --file ids.yaml');
  expect(existsSync(join(project.folder, localState))).toBe(false);
  expect(await project.run('import item.torch t-1')).toMatchObject({ code: 0, stderr: '' });
});

test('import --format json lists what was recorded, or would be', async () => {
  await using project = await createProject({ ...smallCatalog, 'ids.yaml': yaml });
  await project.run('import item.torch t-1');
  const ids = [
    { address: 'classifier.rarity', id: 'c-1', outcome: 'import' },
    { address: 'classifier.rarity.common', id: 'o-2', outcome: 'import' },
    { address: 'classifier.rarity.rare', id: 'o-1', outcome: 'import' },
    { address: 'item.torch', id: 't-1', outcome: 'known' },
  ];
  const about = { environment: 'local', target: { baseUrl: 'embedded', teamId: 'team_local' } };
  const tried = await project.run('import --file ids.yaml --format json --dry-run');
  expect(JSON.parse(tried.stdout)).toEqual({ ...about, recorded: false, ids });
  const done = await project.run('import --file ids.yaml --format json --yes');
  expect(JSON.parse(done.stdout)).toEqual({ ...about, recorded: true, ids });
});

test('import refuses a pending create and prints the command that settles it', async () => {
  await using team = await createTeam(smallCatalog);
  team.onCreate('Slot', 'cut-after');
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  expectRefused(
    await team.run('import classifier.slot s-1'),
    'trove resolve classifier.slot -e staging --id ID',
  );
});

test('apply reports a change of an imported record that turns out to be blocked', async () => {
  await using team = await appliedTeam(smallCatalog);
  const id = (await team.recorded()).live['classifier.slot']?.id;
  await team.run('state forget classifier.slot --yes');
  await team.project.edit(
    'catalog/game.yaml',
    'off-hand: {',
    'both: { name: Both, dropRateMultiplier: 2 }\n      off-hand: {',
  );
  expect(await team.run(`import classifier.slot ${id}`)).toMatchObject({ code: 0 });
  await team.run('plan --out plan.json');
  // The plan alone names the environment.
  const { TROVE_ENV: _, ...env } = team.env;
  const applied = await team.project.run('apply plan.json --yes', { env });
  expect(applied.stderr).toContain('1 more change is now blocked: trove plan -e staging');
  expect(await team.run('plan')).toMatchObject({ code: 3 });
});

test('import finds a record under the new key if the catalog declares a move', async () => {
  await using project = await createProject(smallCatalog);
  await project.run('apply --yes');
  const id = recorded(await project.state()).live['item.torch']?.id;
  await project.edit('catalog/game.yaml', 'torch:', 'lamp:');
  await project.edit(
    'catalog/game.yaml',
    'items:',
    'moved:\n  - { from: item.torch, to: item.lamp }\nitems:',
  );
  expect((await project.run(`import item.lamp ${id}`)).stdout).toContain('1 record already recorded');
  expect((await project.run('import item.lamp another')).stderr).toContain('is already recorded');
});

test('import records a move not yet applied, and its next steps use recorded addresses', async () => {
  const text = (slot: string, torch: string, moved = '') => `${moved}
classifiers: { ${slot}: { name: Slot, options: { hand: { name: Hand, dropRateMultiplier: 1 } } } }
items: { ${torch}: { name: Torch, rollNumerator: 1 }, bow: { name: Bow, rollNumerator: 1 } }`;
  const path = 'catalog/game.yaml';
  await using project = await createProject({ [path]: text('slot', 'torch') });
  for (const ids of ['classifier.slot s-1', 'item.torch t-1'])
    expect(await project.run(`import ${ids}`)).toMatchObject({ code: 0 });
  const moves =
    'moved: [{ from: classifier.slot, to: classifier.place }, { from: item.torch, to: item.lamp }]';
  await project.write(path, text('place', 'lamp', moves));
  expectRefused(await project.run('import item.lamp t-2'), 'trove state forget item.torch');
  expectRefused(await project.run('import item.bow t-1'), 'trove state mv item.torch item.bow');

  await project.write('ids.yaml', 'classifier.place: { id: s-1, options: { hand: o-1 } }\n');
  expect(await project.run('import --file ids.yaml --yes')).toMatchObject({ code: 0, stderr: '' });
  expect(recorded(await project.state()).imported).toMatchObject([
    { address: 'classifier.place', id: 's-1', options: { hand: 'o-1' } },
    { address: 'item.lamp', id: 't-1' },
  ]);
});

test.each([
  'import',
  'import item.torch',
  'import item.torch t --file ids.yaml',
  'import --file nowhere.yaml',
])('%s is refused with a clear error', async (args) => {
  await using project = await createProject({ ...smallCatalog, 'ids.yaml': yaml });
  expectRefused(await project.run(args));
});
