import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam } from '../rig/team.ts';
import { hasTerminal, onTerminal, type Typed } from '../rig/terminal.ts';

const answer = (keys: string): Typed => ['is accepted: ', keys];

describe.skipIf(!hasTerminal)('on a terminal (needs script of util-linux)', () => {
  test('apply sends the changes after yes, with a progress bar', async () => {
    await using project = await createProject(smallCatalog);
    const { code, screen } = await onTerminal(project, 'apply', answer('yes\n'));
    expect(code).toBe(0);
    expect(screen).toContain('Plan: 5 to create.');
    expect(screen).toContain('Apply to local (the embedded service, team team_local)? Only "yes" is');
    expect(screen).toContain('[##############################] 5 of 5');
    expect(screen).toContain('Applied to local: 5 created.');
  });

  test.each([
    ['no', 'no\n', 1],
    ['y', 'y\n', 1],
    ['Ctrl-C', '\x03', 130],
    ['the end of input', '\x04', 1],
  ])('apply sends and records nothing after %s', async (_, keys, left) => {
    await using project = await createProject(smallCatalog);
    const { code, screen } = await onTerminal(project, 'apply', answer(keys));
    expect([code, screen.includes('Nothing was sent.')]).toEqual([left, true]);
    expect(existsSync(join(project.folder, 'catalog/.trove/service.db'))).toBe(false);
    expect((await project.run('apply --yes')).code).toBe(0);
  });

  test.each([
    ['yes', 'yes\n', 0, 'Recorded for local: 2 records.', 1],
    ['no', 'no\n', 1, 'Nothing was recorded.', 0],
    ['Ctrl-C', '\x03', 130, 'Nothing was recorded.', 0],
  ])('import asks for confirmation of several IDs and obeys %s', async (_, keys, left, said, serial) => {
    const ids = 'item.torch: t\nitem.oak-bow: b\n';
    await using project = await createProject({ ...smallCatalog, 'ids.yaml': ids });
    const { code, screen } = await onTerminal(project, 'import --file ids.yaml', answer(keys));
    expect([code, screen.includes('& import   item.torch'), screen.includes(said)]).toEqual([
      left,
      true,
      true,
    ]);
    const path = 'catalog/.trove/local.state.json';
    expect(existsSync(join(project.folder, path)) ? (await project.state()).serial : 0).toBe(serial);
  });

  describe('a password in no variable', () => {
    const secret = 'k3ep-me-s3cret';
    const env = { TROVE_ENV: 'staging', TROVE_USERNAME: 'designer', TROVE_PASSWORD: '' };
    const prompt = 'Password for staging (TROVE_PASSWORD is not set): ';

    test('is requested after the confirmation, and neither shown nor stored', async () => {
      await using team = await createTeam(smallCatalog);
      const { folder } = team.project;
      const typed: Typed = [
        prompt,
        async () => `${team.gateway.exchanges.length > 0 ? 'sent' : ''}${secret}\n`,
      ];
      const asked = await onTerminal({ folder, env }, 'apply --new-environment', answer('yes\n'), typed);
      expect(asked).toMatchObject({ code: 0, screen: expect.stringContaining('5 created') });
      expect(asked.screen).not.toContain(secret);
      const spaces = await onTerminal({ folder, env }, 'spaces user_1', [prompt, `${secret}\n`]);
      expect(spaces).toMatchObject({ code: 0, screen: expect.stringContaining('Armoury') });
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const file of files.filter((each) => each.isFile()))
        expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain(secret);
    });

    test('is requested once if two environments share its variable', async () => {
      await using team = await createTeam(smallCatalog);
      const { folder } = team.project;
      const other = `baseUrl: ${team.gateway.url}\nteamId: team_8\n`;
      await writeFile(join(folder, 'catalog/environments/other.yaml'), other);
      const typed: Typed = ['Password for ', `${secret}\n`];
      const args = 'apply -e staging -e other --new-environment';
      const { screen } = await onTerminal({ folder, env }, args, answer('yes\n'), typed);
      const { url } = team.gateway;
      expect(screen).toContain(
        `Apply to staging (${url}, team team_7) and other (${url}, team team_8)? Only`,
      );
      expect(screen.match(/Password for/g)).toHaveLength(1);
      expect(screen).toContain('5 created');
    });

    test('is requested again if it is empty', async () => {
      await using team = await createTeam(smallCatalog);
      const typed: readonly Typed[] = [
        [prompt, '\n'],
        ['a password is required', ''],
        [prompt, `${secret}\n`],
      ];
      const args = 'apply --new-environment --yes';
      const { code, screen } = await onTerminal({ folder: team.project.folder, env }, args, ...typed);
      expect([code, screen.includes('5 created')]).toEqual([0, true]);
    });

    test.each([
      ['the end of input', '\x04', 1],
      ['Ctrl-C', 'abc\x03', 130],
    ])('can be declined with %s, and nothing is sent', async (_, keys, left) => {
      await using team = await createTeam(smallCatalog);
      const { folder } = team.project;
      const asked = await onTerminal({ folder, env }, 'apply --new-environment --yes', [prompt, keys]);
      expect(asked.code).toBe(left);
      expect(team.gateway.exchanges).toEqual([]);
      expect(existsSync(join(folder, 'catalog/state/staging.json.lock'))).toBe(false);
    });
  });

  test.each([
    ['yes', 'yes\n', 0, 'Forgotten: item.torch.', 0],
    ['no', 'no\n', 1, 'Nothing was forgotten.', 1],
  ])('state forget asks for confirmation and obeys %s', async (_, keys, left, said, imported) => {
    await using project = await createProject(smallCatalog);
    await project.run('import item.torch t-1');
    const { code, screen } = await onTerminal(project, 'state forget item.torch', answer(keys));
    expect([code, screen.includes('t-1'), screen.includes(said)]).toEqual([left, true, true]);
    const { stdout } = await project.run('state list --format json');
    expect(JSON.parse(stdout)).toHaveLength(imported);
  });
});
