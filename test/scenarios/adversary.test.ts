import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fate, unclear } from '../rig/gateway.ts';
import { cli, createProject, finished } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, isCreateOf } from '../rig/team.ts';

describe('an update whose outcome was not seen', () => {
  test('leaves the record in doubt: it is written again, also when the catalog is as it was', async () => {
    await using team = await appliedTeam();
    await team.project.edit('catalog/game.yaml', 'rollNumerator: 100', 'rollNumerator: 101');
    team.gateway.decide = () => (team.gateway.count('PUT') === 1 ? 'cut-after' : unclear);
    expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
    expect(team.gateway.count('PUT')).toBe(2);
    team.gateway.decide = () => 'pass';
    await team.project.edit('catalog/game.yaml', 'rollNumerator: 101', 'rollNumerator: 100');
    const planned = await team.run('plan --detailed-exitcode');
    expect(planned).toMatchObject({ code: 2, stdout: expect.stringContaining('* reassert  item.torch') });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(team.gateway.exchanges.at(-1)?.answer).toMatchObject({ name: 'Torch', rollNumerator: 100 });
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  }, 120_000);

  test('also where the process was killed before the answer came', async () => {
    await using team = await appliedTeam();
    await team.project.edit('catalog/game.yaml', 'rollNumerator: 100', 'rollNumerator: 101');
    const child = team.project.start('apply --yes', { env: team.env });
    team.gateway.decide = ({ method }) => {
      if (method === 'PUT') child.kill('SIGKILL');
      return 'pass';
    };
    await finished(child);
    team.gateway.decide = () => 'pass';
    await team.project.edit('catalog/game.yaml', 'rollNumerator: 101', 'rollNumerator: 100');
    expect(await team.run('plan')).toMatchObject({ stdout: expect.stringContaining('1 to reassert') });
  });
});

describe('an answer that names somebody else', () => {
  test('the id of another resource is not believed, and nothing of that resource is overwritten', async () => {
    await using team = await createTeam(smallCatalog);
    const sword = () => team.gateway.exchanges.find(isCreateOf('Iron Sword'))?.answer?.id;
    team.onCreate('Torch', { rewrite: (answer) => ({ ...answer, id: sword() }) });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    const { live, pending } = await team.recorded();
    expect(Object.keys(live).sort()).toEqual([
      'classifier.rarity',
      'classifier.slot',
      'item.iron-sword',
      'item.oak-bow',
    ]);
    expect(pending).toMatchObject([
      { address: 'item.torch', answer: { id: sword() }, reason: expect.stringContaining(String(sword())) },
    ]);
  });

  test('resolve refuses the id of another resource', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Slot', 'cut-after');
    await team.run('apply --yes --new-environment');
    team.gateway.decide = () => 'pass';
    const sent = team.gateway.exchanges.length;
    const { id } = (await team.recorded()).live['classifier.rarity'] ?? {};
    const refused = await team.run(`resolve classifier.slot --id ${id}`);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is recorded as classifier.rarity'),
    });
    expect(await team.run('resolve classifier.slot --id ..')).toMatchObject({ code: 1 });
    expect(team.gateway.exchanges).toHaveLength(sent);
  });

  test('an unreadable answer keeps the id that it names', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Rarity', { rewrite: (answer) => ({ ...answer, updatedAt: 7 }) });
    await team.run('apply --yes --new-environment');
    const id = String(team.gateway.exchanges.find(isCreateOf('Rarity'))?.answer?.id);
    expect((await team.run('resolve')).stdout.replace(/\s+/g, ' ')).toContain(id);
  });
});

describe('the files around', () => {
  test.each(['catalog/.trove', 'catalog/state'])(
    'a link %s that leads out of the catalog is refused',
    async (link) => {
      await using team = await createTeam(smallCatalog);
      const { folder } = team.project;
      await mkdir(join(folder, 'outside'));
      await writeFile(join(folder, 'outside/.gitignore'), 'precious\n');
      await symlink(join(folder, 'outside'), join(folder, link));
      const env = { TROVE_ENV: link.endsWith('state') ? 'staging' : 'local' };
      const result = await team.run('apply --yes --new-environment', { env });
      expect(result).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('a link leads out of the catalog'),
      });
      expect(await readFile(join(folder, 'outside/.gitignore'), 'utf8')).toBe('precious\n');
      expect(team.gateway.exchanges).toHaveLength(0);
    },
  );

  test('a state that can not be written: the report still has every id', async () => {
    await using team = await createTeam(smallCatalog);
    const child = team.project.start('apply --yes --new-environment --parallel 1 --format json', {
      env: team.env,
    });
    team.gateway.decide = async (_exchange, index): Promise<Fate> => {
      // Somebody takes the lock away by force, so that this run may write no state any more.
      if (index === 1) await team.run('state unlock --force --yes');
      return 'pass';
    };
    const { code, stdout } = await finished(child);
    const report = JSON.parse(stdout) as { results: { remoteId: string | null }[] };
    const reported = report.results.map(({ remoteId }) => remoteId);
    const created = team.gateway.exchanges.flatMap(({ status, answer }) =>
      status === 200 ? [answer?.id] : [],
    );
    expect(created.filter((id) => !reported.includes(String(id)))).toEqual([]);
    expect(code).toBe(1);
  });
});

test('a reader that goes away: an apply goes on, records, and gives its lock back', async () => {
  await using project = await createProject(smallCatalog);
  const command = `"${process.execPath}" "${cli}" apply --yes | true; exit \${PIPESTATUS[0]}`;
  expect((await finished(spawn('bash', ['-c', command], { cwd: project.folder }))).code).toBe(0);
  expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  expect(await project.run('state unlock')).toMatchObject({ code: 0 });
});

test('an option key such as constructor is nobody else', async () => {
  await using team = await appliedTeam();
  await team.project.edit(
    'catalog/game.yaml',
    '      rare: {',
    '      constructor: { name: Odd, dropRateMultiplier: 1 }\n      rare: {',
  );
  await team.project.edit('catalog/game.yaml', '{ rarity: rare }', '{ rarity: constructor }');
  const sent = team.gateway.exchanges.length;
  expect(await team.run('apply --yes')).toMatchObject({ code: 3 });
  expect(team.gateway.exchanges).toHaveLength(sent);
});

test('words of the service can not become commands of a CI system', async () => {
  await using team = await createTeam(smallCatalog);
  const body = JSON.stringify({ message: `${'::error::pwned '.repeat(20)}\n::stop-commands::x` });
  team.gateway.decide = () => ({ status: 422, body });
  const { stdout, stderr } = await team.run('apply --yes --new-environment');
  expect(stdout).toContain('pwned');
  expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*(?:::|##\[)/m);
});
