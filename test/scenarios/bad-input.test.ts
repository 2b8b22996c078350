import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, expectRefused, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath } from '../rig/team.ts';

const { 'catalog/game.yaml': text } = smallCatalog;
const environmentPath = 'catalog/environments/staging.yaml';

test('apply with a wrong password sends one read, records nothing and names what to check', async () => {
  await using team = await createTeam(smallCatalog, 'userId: user_1\n');
  const refused = await team.run('apply --yes --new-environment', {
    env: { TROVE_PASSWORD: 'wr0ng-secret' },
  });
  expect(refused.code).toBe(1);
  expect(unwrapped(refused.stderr)).toContain(
    'the check before the first write failed: List user spaces (GET /users/user_1/spaces) was refused: 401 Unauthorized',
  );
  expect(unwrapped(refused.stderr)).toContain('nothing was written; check the username and the password');
  expect(refused.stderr).toContain('TROVE_PASSWORD');
  expect(refused.stdout + refused.stderr).not.toContain('wr0ng-secret');
  expect(team.gateway.count('POST', 'PUT')).toBe(0);
  expect(existsSync(join(team.project.folder, statePath))).toBe(false);
});

test('apply with a wrong password and no userId stops after one refused create', async () => {
  await using team = await createTeam(smallCatalog);
  const { code, stdout } = await team.run('apply --yes --new-environment', {
    env: { TROVE_PASSWORD: 'wr0ng' },
  });
  expect(code).toBe(1);
  expect(stdout).toContain('Create Classifier (POST /classifiers) was refused: 401 Unauthorized');
  expect(team.gateway.count('POST')).toBe(1);
  expect(existsSync(join(team.project.folder, statePath))).toBe(false);
});

test('apply names the URL of a service that is down and leaves nothing pending', async () => {
  await using team = await createTeam(smallCatalog);
  await team.project.write(environmentPath, 'baseUrl: http://127.0.0.1:9/api\nteamId: team_7\n');
  const { code, stdout } = await team.run('apply --yes --new-environment');
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    "http://127.0.0.1:9/api can't be reached: the connection was refused",
  );
  expect(existsSync(join(team.project.folder, statePath))).toBe(false);
});

test('apply stops after one write if the response names another team, and keeps its ID', async () => {
  await using team = await createTeam(smallCatalog);
  await team.project.edit(environmentPath, 'team_7', 'team_9');
  const { code, stdout } = await team.run('apply --yes --new-environment');
  expect([code, stdout]).toEqual([4, expect.stringContaining('team_7')]);
  expect(team.gateway.count('POST')).toBe(1);
  const { pending, live } = await team.recorded();
  expect(live).toEqual({});
  expect(pending).toMatchObject([{ answer: { id: team.gateway.exchanges[0]?.answer?.id } }]);
});

test.each([
  ['broken YAML', 'rarity: rare }', 'rarity: rare', 'catalog/game.yaml:'],
  ['a name of 200 characters', 'Oak Bow', 'O'.repeat(200), '191'],
  ['an unknown option', 'rarity: rare }', 'rarity: raer }', 'did you mean `rare`?'],
  ['an unknown classifier', '{ rarity: rare }', '{ rarety: rare }', 'did you mean `rarity`?'],
])('%s is an error with its place, and nothing is sent', async (_, right, wrong, said) => {
  await using team = await createTeam({ 'catalog/game.yaml': text.replace(right, wrong) });
  for (const command of ['validate', 'plan', 'apply --yes --new-environment']) {
    const refused = await team.run(command);
    expectRefused(refused, said);
    expect(refused.stderr).toMatch(/catalog\/game\.yaml:\d+:\d+/);
  }
  expect(team.gateway.exchanges).toHaveLength(0);
});

const limits = 'limits: { maxCreates: 4 }\n';
test.each([
  ['a new team but no --new-environment', 'apply --yes', '', '[no-state]', '--new-environment'],
  ['neither a terminal nor --yes', 'apply --new-environment', '', '[not-confirmed]', '--yes'],
  ['more creates than the limit', 'apply --yes --new-environment', limits, '[limit-exceeded]', '5 creates'],
])('apply with %s is refused before it sends anything', async (_, command, settings, ...said) => {
  await using team = await createTeam(smallCatalog, settings);
  const { code, stderr } = await team.run(command);
  expect(code).toBe(1);
  for (const each of said) expect(stderr).toContain(each);
  expect(team.gateway.exchanges).toHaveLength(0);
});

test.each([
  ['apply --target item.torch --new-environment', ' --target item.torch', ' --new-environment'],
  [
    'apply --replace item.torch --reassert --confirm-new item.torch',
    ' --replace item.torch --confirm-new item.torch --reassert',
    '',
  ],
  ['apply --recover --confirm-new', ' --recover --confirm-new', ''],
])('%s prints commands with the same flags if there is no terminal', async (command, asked, begin) => {
  await using team = await createTeam(smallCatalog);
  if (begin === '') await team.run('apply --yes --new-environment');
  if (command.includes('--recover')) await rm(join(team.project.folder, statePath));
  const { stderr } = await team.run(command);
  expect(unwrapped(stderr)).toContain(
    `to apply now: trove apply -e staging${asked}${begin} --yes; to review a plan first: trove plan -e staging${asked} --out FILE, then trove apply FILE${begin}`,
  );
});

test('a printed command for the default catalog names it if a variable names another', async () => {
  await using project = await createProject(smallCatalog);
  const env = { TROVE_CATALOG: 'other' };
  const { stderr } = await project.run('apply --catalog catalog', { env });
  expect(unwrapped(stderr)).toContain('trove apply --catalog catalog --yes');
});

test('a printed command for local names it if a variable names another environment', async () => {
  await using project = await createProject(smallCatalog);
  const { stdout } = await project.run('plan -e local --target item.torch', {
    env: { TROVE_ENV: 'staging' },
  });
  expect(stdout).toContain('Plan for local');
  const asked = await project.run('apply -e local', { env: { TROVE_ENV: 'staging' } });
  expect(unwrapped(asked.stderr)).toContain('trove apply -e local --yes');
  await project.run('apply -e local --yes');
  await rm(join(project.folder, 'catalog/.trove/local.state.json'));
  const lost = await project.run('plan -e local', { env: { TROVE_ENV: 'staging' } });
  expect(unwrapped(lost.stdout)).toContain('trove apply -e local --recover');
});

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('');
const name = (n: number) => `attribute-with-a-long-name-${n}`;
const range = '{ min: 1, max: 2 }';
const item = (n: number) =>
  `  item-${n}: { name: X, rollNumerator: 1, attributes: { ${name(n)}-x: ${range}, ${name(n)}: ${range} } }\n`;
const misspelt = {
  'catalog/a.yaml': `attributes:\n${lines(3000, (n) => `  ${name(n)}: {}\n`)}items:\n${lines(3000, item)}`,
  'catalog/environments/staging.yaml': `baseUrl: https://x.example/api
teamId: t
attributes:\n${lines(3000, (n) => `  ${name(n)}-y: id-${n}\n`)}
only: [ "item.*",\n${lines(3000, (n) => `  item.itm-${n},\n`)}]
overrides: { items: {\n${lines(3000, (n) => `  item-${n}: { attributes: { ${name(n)}-z: null } },\n`)}} }
`,
};
const items = (count: number, line: (n: number) => string) => ({
  'catalog/items.yaml': `items:\n${lines(count, line)}`,
});

test.each([
  ['broken YAML', items(1000, (n) => `  item-${n}: [ }\n`), 1000],
  ['wrong types', items(50_000, (n) => `  item-${n}: { nam: X, rollNumerator: a }\n`), 100_000],
  ['a key repeated 1,000 times', items(1000, () => '  item: { name: X, rollNumerator: 1 }\n'), 999],
  ['misspelled names in a catalog and its environment', misspelt, undefined],
])('validate lists the first 100 problems and counts the rest: %s', async (_, files, count) => {
  await using project = await createProject(files);
  const { code, stderr } = await project.run('validate');
  expect([code, stderr.match(/^error: /gm)?.length]).toEqual([1, 101]);
  if (count === undefined) return;
  for (const told of [`${count - 100} more problems`, `${count} problems found.`])
    expect(stderr).toContain(told);
});
