import { describe, expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { textOf } from '../rig/read-page.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeams } from '../rig/team.ts';

describe('plan --format html=FILE', () => {
  test('writes a page beside the text, with what is before and after', async () => {
    await using project = await createProject(smallCatalog);
    await project.run('apply --yes');
    await project.edit('catalog/game.yaml', 'rollNumerator: 12.5', 'rollNumerator: 30');
    await project.edit('catalog/game.yaml', 'rarity: common', 'rarity: rare');
    const planned = await project.run('plan --format html=plan.html --format text');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain('Plan: 2 to update; 3 unchanged.');
    const text = textOf(await project.read('plan.html'));
    expect(text).toContain('Plan: 2 to update; 3 unchanged.');
    expect(text).toContain('Oak Bow item.oak-bow catalog/game.yaml:18 Before After rollNumerator 12.5 30');
    expect(text).toContain('Common 1 → 0 Rare 1 → 2');
    expect(text).toContain('3 items in all.');
  });

  test.each(['html', 'html='])('--format %s is told to name a file', async (format) => {
    await using project = await createProject(smallCatalog);
    const refused = await project.run(`plan --format ${format}`);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('[page-without-file]'),
    });
    expect(refused.stderr).toContain('--format html=plan.html');
  });

  test('a page is not written into the catalog', async () => {
    await using project = await createProject(smallCatalog);
    const refused = await project.run('plan --format html=catalog/plan.html');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[output-in-catalog]') });
  });

  test('several environments are one page, also where one of them has no plan', async () => {
    await using teams = await createTeams(2, smallCatalog);
    await teams.project.write('catalog/environments/team-03.yaml', 'baseUrl: nonsense\nteamId: x\n');
    expect((await teams.run('plan -e team-* --format html=plans.html')).code).toBe(1);
    const body = await teams.project.read('plans.html');
    expect(textOf(body)).toContain('3 environments');
    expect(textOf(body)).toContain('team-02 5 to create.');
    expect(textOf(body)).toContain("team-03 It can't be planned:");
    expect(body).toContain('id="environment-1-create"');
    expect(body.match(/<article /g)).toHaveLength(10);
  });
});
