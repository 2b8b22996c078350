import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/model.ts';
import { createProject } from '../rig/project.ts';
import { textOf } from '../rig/read-page.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, createTeams } from '../rig/team.ts';

const item = (key: string, name: string) => `  ${key}: { name: ${name}, rollNumerator: 1 }\n`;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const classifier = (key: string, multiplier: number) =>
  `  ${key}: { name: Of ${key}, options: { a: { name: A, dropRateMultiplier: ${multiplier} } } }\n`;
const all = (section: string, numbers: readonly number[], line: (at: number) => string) =>
  `${section}:\n${numbers.map(line).join('')}`;
const kinds = (multiplier: number) =>
  all('classifiers', range(0, 29), (at) => classifier(`kind-${at}`, multiplier));

/** 200 changes: 80 updates, 50 creates, 40 retirements, 29 blocked and one unknown. */
async function mixedChanges() {
  const team = await createTeam({
    'catalog/classifiers.yaml': kinds(1),
    'catalog/items.yaml': all('items', range(0, 120), (at) => item(`item-${at}`, `Name ${at}`)),
  });
  const applied = await team.run('apply --yes --new-environment');
  expect(applied.code, applied.stderr).toBe(0);
  await team.project.write('catalog/lost.yaml', `classifiers:\n${classifier('lost', 1)}`);
  team.gateway.decide = () => 'cut-after';
  expect((await team.run('apply --yes')).code).toBe(4);
  await team.project.write('catalog/classifiers.yaml', kinds(2));
  const items = [
    ...range(0, 80).map((at) => item(`item-${at}`, `Renamed ${at}`)),
    ...range(200, 250).map((at) => item(`item-${at}`, `Another thing ${at}`)),
  ];
  await team.project.write('catalog/items.yaml', `items:\n${items.join('')}`);
  return team;
}

describe('formats of a plan', () => {
  test('agree on the counts and exit code of 200 mixed changes', async () => {
    await using team = await mixedChanges();
    const outputs =
      'json=plan.json --format markdown=plan.md --format github=plan.txt --format html=plan.html --format text';
    const planned = await team.run(`plan --confirm-new --format ${outputs} --out saved.json`, {
      env: { GITHUB_STEP_SUMMARY: 'summary.md' },
    });
    expect(planned.code).toBe(4);
    const { summary, changes } = JSON.parse(await team.project.read('plan.json')) as Plan;
    expect(changes).toHaveLength(200);
    expect(summary).toMatchObject({ create: 50, update: 80, retire: 40, blocked: 29, unknown: 1 });
    const sentence = 'Plan: 50 to create, 80 to update, 40 to retire, 29 blocked, 1 unknown.';
    expect(planned.stdout.replaceAll(/\s+/g, ' ')).toContain(sentence);
    const markdown = await team.project.read('plan.md');
    expect(markdown).toContain(`**${sentence}**`);
    for (const heading of ['Blocked (29)', 'Unknown (1)', 'Update (80)', 'Retire (40)', 'Create (50)'])
      expect(markdown).toContain(heading);
    expect(markdown.match(/^\*\*`(?:item|classifier)\./gm)).toHaveLength(29 + 1 + 80 + 40);
    expect(markdown.match(/^\| \d+ \| `item\./gm)).toHaveLength(50);
    expect(await team.project.read('summary.md')).toBe(markdown);
    const page = (await team.project.read('plan.html')).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    for (const told of [sentence, 'Blocked 29', 'Unknown 1', 'Update 80', 'Retire 40', 'Create 50'])
      expect(page).toContain(told);
    const commands = (await team.project.read('plan.txt')).trimEnd().split('\n');
    expect(commands).toHaveLength(11);
    expect(commands[0]).toContain('title=staging%3A classifier.lost is unknown::');
    expect(commands[9]).toContain('::warning title=21 more annotations::');
    expect(commands[10]).toContain(`::notice title=Plan for staging::${sentence}`);

    for (const [format, file] of [
      ['json', 'plan.json'],
      ['markdown', 'plan.md'],
      ['github', 'plan.txt'],
    ] as const) {
      const shown = await team.run(`show saved.json --format ${format}`);
      expect(shown, shown.stderr).toMatchObject({ code: 0, stdout: await team.project.read(file) });
    }
    expect((await team.run('show saved.json')).stdout).toBe(planned.stdout);
    expect(await team.run('show saved.json --format html=again.html')).toMatchObject({ code: 0 });
    const again = await team.project.read('again.html');
    expect(again).toContain(sentence);
    // A saved plan does not contain when it was made.
    expect([page.includes('Planned '), again.includes('Planned ')]).toEqual([true, false]);
  });

  test('give GitHub the place of blocked changes from the root of the checkout', async () => {
    await using team = await appliedTeam();
    await team.project.edit('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
    const env = { GITHUB_WORKSPACE: join(team.project.folder, '..') };
    const { stdout, code } = await team.run('plan --format github', { env });
    const folder = team.project.folder.split('/').at(-1);
    expect(code).toBe(3);
    expect(stdout).toContain(
      `::warning file=${folder}/catalog/game.yaml,line=2,col=3,title=staging%3A classifier.rarity is blocked::`,
    );
    const elsewhere = { GITHUB_WORKSPACE: join(team.project.folder, 'elsewhere') };
    const outside = await team.run('plan --format github', { env: elsewhere });
    expect(outside.stdout).toMatch(/^::warning title=staging%3A .*%0Acatalog\/game\.yaml:2$/m);
  });

  test('report a plan that failed in the comment, on the page and beside the line', async () => {
    await using team = await createTeam(smallCatalog);
    await team.project.edit('catalog/game.yaml', 'rarity: rare }', 'rarity: raer }');
    const failed = await team.run(
      'plan --format github --format markdown=plan.md --format html=plan.html --format json=plan.json',
    );
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('::error file=catalog/game.yaml,line=');
    expect(failed.stderr).toContain('[unknown-reference]');
    expect(await team.project.read('plan.md')).toContain('### staging could not be planned');
    expect(textOf(await team.project.read('plan.html'))).toContain("staging It can't be planned:");
    await expect(team.project.read('plan.json')).rejects.toThrow('ENOENT');
  });

  test('put several environments into one document with a section for each', async () => {
    await using teams = await createTeams(3, smallCatalog);
    await teams.project.write('catalog/environments/team-02.yaml', 'baseUrl: not a URL\n');
    const { stdout, code } = await teams.run(
      'plan -e team-* --format markdown --format github=annotations.txt --format json=plans.json',
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      '| `team-01` | 5 to create |\n| `team-02` | refused: 2 problems, see below |\n| `team-03` | 5 to create |',
    );
    expect(stdout).toContain('### `team-02` could not be planned');
    expect(stdout.match(/^### Plan for `team-0[13]`/gm)).toHaveLength(2);
    const annotations = await teams.project.read('annotations.txt');
    expect(annotations).toContain('::error file=catalog/environments/team-02.yaml,line=1,');
    expect(annotations).toContain(
      '::notice title=Plans for 2 environments::team-01: Plan: 5 to create.%0Ateam-03: Plan: 5 to create.\n',
    );
  });
});

test('show prints several plans in full without their catalog', async () => {
  await using teams = await createTeams(2, smallCatalog);
  await teams.run('plan -e team-* --out plans.json');
  await mkdir(join(teams.project.folder, 'bare'));
  const shown = await teams.run('show plans.json --catalog bare');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(
    /^Plan for team-01: [\s\S]+5 to create\.\n\nPlan for team-02: [\s\S]+5 to create\.\n$/,
  );
});

describe('the summary of a step', () => {
  test('grows with each run until it is full', async () => {
    await using project = await createProject(smallCatalog);
    const env = { GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md') };
    await project.write('summary.md', 'before\n');
    expect((await project.run('plan --format github', { env })).code).toBe(0);
    expect(await project.read('summary.md')).toMatch(/^before\n\n### Plan for local/);
    const full = 'x'.repeat(1024 * 1024 - 100);
    await project.write('summary.md', full);
    const planned = await project.run('plan --format github', { env });
    expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining('is full (1 MiB)') });
    expect(await project.read('summary.md')).toBe(full);
  });
});
