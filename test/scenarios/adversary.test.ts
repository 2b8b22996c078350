import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fate } from '../rig/gateway.ts';
import { cli, createProject, expectRefused, finished } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, isCreateOf, type Team } from '../rig/team.ts';

test.each(['catalog/.trove', 'catalog/state'])(
  'apply refuses a link %s that points outside the catalog, and sends nothing',
  async (link) => {
    await using team = await createTeam(smallCatalog);
    const outside = join(team.project.folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, '.gitignore'), 'precious\n');
    await symlink(outside, join(team.project.folder, link));
    const env = { TROVE_ENV: link.endsWith('state') ? 'staging' : 'local' };
    const refused = await team.run('apply --yes --new-environment', { env });
    expectRefused(refused, 'a link points outside the catalog');
    expect(await readFile(join(outside, '.gitignore'), 'utf8')).toBe('precious\n');
    expect(team.gateway.exchanges).toHaveLength(0);
  },
);

test('a response with the ID of another resource leaves the create pending and that record intact', async () => {
  await using team = await createTeam(smallCatalog);
  const sword = () => team.gateway.exchanges.find(isCreateOf('Iron Sword'))?.answer?.id;
  team.onCreate('Torch', { rewrite: (answer) => ({ ...answer, id: sword() }) });
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  const { live, pending } = await team.recorded();
  expect([Object.keys(live).length, live['item.iron-sword']?.id]).toEqual([4, sword()]);
  expect(pending).toMatchObject([
    { address: 'item.torch', answer: { id: sword() }, reason: expect.stringContaining(String(sword())) },
  ]);
});

test("the report contains every ID even if the state can't be written", async () => {
  await using team = await createTeam(smallCatalog);
  const args = 'apply --yes --new-environment --parallel 1 --format json';
  const child = team.project.start(args, { env: team.env });
  team.gateway.decide = async (_exchange, index): Promise<Fate> => {
    // The lock is removed by force, so this run may no longer write the state.
    if (index === 1) await team.run('state unlock --force --yes');
    return 'pass';
  };
  const { code, stdout } = await finished(child);
  const report = JSON.parse(stdout) as { results: { remoteId: string | null }[] };
  const reported = report.results.map(({ remoteId }) => remoteId);
  const created = team.service.ledger().map(({ id }) => id);
  expect([code, created.filter((id) => !reported.includes(id))]).toEqual([1, []]);
});

test('apply finishes and releases its lock after the reader of its output goes away', async () => {
  await using project = await createProject(smallCatalog);
  const command = `"${process.execPath}" "${cli}" apply --yes | true; exit \${PIPESTATUS[0]}`;
  expect((await finished(spawn('bash', ['-c', command], { cwd: project.folder }))).code).toBe(0);
  expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  expect(await project.run('state unlock')).toMatchObject({ code: 0 });
});

test('an added option with the key constructor is blocked like any other', async () => {
  await using team = await appliedTeam();
  const odd = '      constructor: { name: Odd, dropRateMultiplier: 1 }\n';
  await team.project.edit('catalog/game.yaml', '      rare: {', `${odd}      rare: {`);
  await team.project.edit('catalog/game.yaml', '{ rarity: rare }', '{ rarity: constructor }');
  const sent = team.gateway.exchanges.length;
  expect(await team.run('apply --yes')).toMatchObject({ code: 3 });
  expect(team.gateway.exchanges).toHaveLength(sent);
});

test('text from the service never becomes a command of a CI system', async () => {
  await using team = await createTeam(smallCatalog);
  const body = JSON.stringify({ message: `${'::error::pwned '.repeat(20)}\n::stop-commands::x` });
  team.gateway.decide = () => ({ status: 422, body });
  const { stdout, stderr } = await team.run('apply --yes --new-environment');
  expect(stdout).toContain('pwned');
  expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*(?:::|##\[)/m);
});

const password = 'k3ep-me-s3cret';
const authorization = `Basic ${Buffer.from(`designer:${password}`).toString('base64')}`;
const echo = { password, authorization, headers: { authorization }, form: `p=${password}` };

/** Everything below the folder of a project, as one text. */
async function allFiles({ project }: Team): Promise<string> {
  const files = await readdir(project.folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

test.each<[string, Fate]>([
  ['in undocumented fields', { rewrite: (answer) => ({ ...answer, echo }) }],
  ['in the name', { rewrite: (answer) => ({ ...answer, name: `${answer.name} ${password}` }) }],
  ['in the team', { rewrite: (answer) => ({ ...answer, teamId: password }) }],
  ['as the ID', { rewrite: (answer) => ({ ...answer, id: password }) }],
  ['as the ID of an option', { rewrite: (answer) => ({ ...answer, classifierOptions: [{ id: password }] }) }],
  ['in an error', { status: 422, body: JSON.stringify({ message: `no: ${authorization}`, echo }) }],
  [
    'in a redirect',
    { status: 302, body: '', headers: { location: `/login?p=${encodeURIComponent(password)}` } },
  ],
])('credentials that the service repeats %s appear in no output or file', async (_, fate) => {
  await using team = await createTeam(smallCatalog);
  team.gateway.decide = () => fate;
  for (const flag of ['--format text', '--format json', '--format ndjson', '--debug']) {
    const { stdout, stderr } = await team.run(`apply --yes --new-environment ${flag}`);
    for (const secret of [password, authorization.slice(6), authorization.slice(6, 20)])
      expect(stdout + stderr).not.toContain(secret);
  }
  const files = await allFiles(team);
  for (const secret of [password, authorization.slice(6)]) expect(files).not.toContain(secret);
});
