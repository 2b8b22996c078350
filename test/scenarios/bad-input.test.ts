import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath } from '../rig/team.ts';

const { 'catalog/game.yaml': text } = smallCatalog;

test('a wrong password: one message with what to check, nothing sent but the question, nothing recorded', async () => {
  await using team = await createTeam(smallCatalog, 'userId: user_1\n');
  const result = await team.run('apply --yes --new-environment', { env: { TROVE_PASSWORD: 'wr0ng-secret' } });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(
    'List user spaces (GET /users/user_1/spaces) was refused: 401 Unauthorized',
  );
  expect(result.stderr).toContain('TROVE_PASSWORD');
  expect(result.stdout + result.stderr).not.toContain('wr0ng-secret');
  expect(team.gateway.count('POST', 'PUT')).toBe(0);
  expect(existsSync(join(team.project.folder, statePath))).toBe(false);
});

test('a wrong password without a user to ask about: the canary is refused and nothing follows', async () => {
  await using team = await createTeam(smallCatalog);
  const result = await team.run('apply --yes --new-environment', { env: { TROVE_PASSWORD: 'wr0ng' } });
  expect(result.code).toBe(1);
  expect(result.stdout).toContain('Create Classifier (POST /classifiers) was refused: 401 Unauthorized');
  expect(team.gateway.count('POST')).toBe(1);
  expect(await team.recorded()).toMatchObject({ live: {}, pending: [], retired: [] });
});

test('a service that is down: the URL, what to do, and nothing pending', async () => {
  await using team = await createTeam(smallCatalog);
  await team.project.write(
    'catalog/environments/staging.yaml',
    'baseUrl: http://127.0.0.1:9/api\nteamId: team_7\n',
  );
  const result = await team.run('apply --yes --new-environment');
  expect(result.code).toBe(1);
  expect(result.stdout.replace(/\s+/g, ' ')).toContain(
    "http://127.0.0.1:9/api can't be reached, the connection was refused",
  );
  expect(await team.recorded()).toMatchObject({ live: {}, pending: [] });
});

test.each([
  [
    'broken YAML',
    text.replace('classifiers: { rarity: rare }', 'classifiers: { rarity: rare'),
    'catalog/game.yaml:',
  ],
  ['a name of 200 characters', text.replace('Oak Bow', 'O'.repeat(200)), '191'],
  ['an unknown option', text.replace('rarity: rare }', 'rarity: raer }'), 'did you mean `rare`?'],
  ['an unknown classifier', text.replace('{ rarity: rare }', '{ rarety: rare }'), 'did you mean `rarity`?'],
])('%s: an error with its place, and nothing is sent', async (_, broken, said) => {
  await using team = await createTeam({ 'catalog/game.yaml': broken });
  for (const command of ['validate', 'plan', 'apply --yes --new-environment']) {
    const result = await team.run(command);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/catalog\/game\.yaml:\d+:\d+/);
    expect(result.stderr).toContain(said);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  }
  expect(team.gateway.exchanges).toHaveLength(0);
});

test('a service of another team: stopped after one write, whose id is kept for a person', async () => {
  await using team = await createTeam(smallCatalog);
  await team.project.edit('catalog/environments/staging.yaml', 'team_7', 'team_9');
  const result = await team.run('apply --yes --new-environment');
  expect(result.code).toBe(4);
  expect(result.stdout).toContain('team_7');
  expect(team.gateway.count('POST')).toBe(1);
  const { pending, live } = await team.recorded();
  expect(live).toEqual({});
  expect(pending).toMatchObject([{ answer: { id: team.gateway.exchanges[0]?.answer?.id } }]);
});

test.each([
  ['a team without a state that nobody calls new', 'apply --yes', '', '[no-state]', '--new-environment'],
  ['without a terminal', 'apply --new-environment', '', '[not-confirmed]', '--yes'],
  [
    'more creates than the environment allows',
    'apply --yes --new-environment',
    'limits: { maxCreates: 4 }\n',
    '[limit-exceeded]',
    '5 creates',
  ],
])('%s: refused before anything is sent', async (_, command, settings, rule, text) => {
  await using team = await createTeam(smallCatalog, settings);
  const { code, stderr } = await team.run(command);
  expect([code, stderr]).toEqual([1, expect.stringContaining(rule)]);
  expect(stderr).toContain(text);
  expect(team.gateway.exchanges).toHaveLength(0);
});

test('3000 misspelt names in a catalog and its environment: the first hundred problems are listed', async () => {
  const all = (line: (n: number) => string) => Array.from({ length: 3000 }, (_, n) => line(n)).join('');
  const name = (n: number) => `attribute-with-a-long-name-${n}`;
  const range = '{ min: 1, max: 2 }';
  const item = (n: number) =>
    `  item-${n}: { name: X, rollNumerator: 1, attributes: { ${name(n)}-x: ${range}, ${name(n)}: ${range} } }\n`;
  const catalog = `attributes:\n${all((n) => `  ${name(n)}: {}\n`)}items:\n${all(item)}`;
  const attributes = `attributes:\n${all((n) => `  ${name(n)}-y: id-${n}\n`)}`;
  const only = `only: [ "item.*",\n${all((n) => `  item.itm-${n},\n`)}]\n`;
  const items = all((n) => `  item-${n}: { attributes: { ${name(n)}-z: null } },\n`);
  const environment = `${attributes}${only}overrides: { items: {\n${items}} }\n`;
  await using team = await createTeam({ 'catalog/game.yaml': catalog }, environment);
  const { code, stderr } = await team.run('validate');
  expect([code, stderr.match(/^error: /gm)?.length]).toEqual([1, 101]);
});

test.each([
  ['broken YAML', 1000, (n: number) => `  item-${n}: [ }\n`, 1000],
  ['wrong types and names', 50_000, (n: number) => `  item-${n}: { nam: X, rollNumerator: a }\n`, 100_000],
  [
    'unknown references',
    1000,
    (n: number) => `  item-${n}: { name: X, rollNumerator: 1, classifiers: { a: b } }\n`,
    1000,
  ],
  ['one key again and again', 1000, () => '  item: { name: X, rollNumerator: 1 }\n', 999],
])(
  '%s in %i lines: the first hundred problems are listed, and the others counted',
  async (_, lines, line, count) => {
    const items = Array.from({ length: lines }, (_, n) => line(n)).join('');
    await using project = await createProject({ 'catalog/items.yaml': `items:\n${items}` });
    const { code, stderr } = await project.run('validate');
    expect([code, stderr.match(/^error: /gm)?.length]).toEqual([1, 101]);
    expect(stderr).toContain(`${count - 100} more problems`);
    expect(stderr).toContain(`${count} problems found.`);
  },
);
