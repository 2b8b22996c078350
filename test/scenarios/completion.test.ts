import { spawnSync } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, createProject, type Project } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';
import { hasTerminal, runOnTerminal } from '../rig/terminal.ts';

const has = (shell: string) => hasTerminal && spawnSync(shell, ['--version']).status === 0;

/** A project with `trove` in a folder for PATH, and an environment. */
async function createDesk(): Promise<Project> {
  const project = await createProject({
    ...smallCatalog,
    'catalog/environments/staging.yaml': 'teamId: t\nbaseUrl: https://game.example/api\n',
    'bin/trove': `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`,
  });
  await chmod(join(project.folder, 'bin/trove'), 0o755);
  return project;
}

/** For what only reads. */
let desk: Project;
beforeAll(async () => {
  desk = await createDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

const begin: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash --norc --noprofile -i', 'source <(trove completion bash)'],
  zsh: ['zsh -f -i', 'autoload -U compinit; compinit -u -D; source <(trove completion zsh)'],
};

describe.each(['bash', 'zsh'])('%s', (shell) => {
  test.skipIf(!has(shell))('completes commands, flags, environments, addresses and files', async () => {
    await using project = await createDesk();
    const [command = '', source = ''] = begin[shell] ?? [];
    const PATH = `${join(project.folder, 'bin')}:${process.env.PATH}`;
    const lines = [
      'trove vali\t > one.txt',
      'trove --env stag\tvali\t --qu\t> two.txt; echo $? > code.txt',
      'trove plan --targ\titem.tor\t--form\tjso\t > three.txt',
      'trove state li\t--hel\t > four.txt',
      'trove fmt --chec\tcatalog/envi\t > five.txt',
      'trove plan --out plan.json',
      'trove show pla\t--format=jso\t > six.txt',
      'trove --catalog=cata\t validate > seven.txt',
    ];
    const turns = [
      ['', "PS1='RE''ADY '\n"],
      ['READY ', `${source}\n`],
      ...lines.map((line) => ['READY ', `${line}\n`] as const),
      ['READY ', 'exit\n'],
    ] as const;
    const { screen } = await runOnTerminal(command, project.folder, turns, { PATH, HOME: project.folder });
    const read = (path: string) => project.read(path).catch(() => `nothing; the screen:\n${screen}`);
    expect(await read('one.txt')).toContain('catalog is valid');
    expect(await read('code.txt')).toBe('0\n');
    expect(JSON.parse(await read('three.txt')).summary.create).toBeGreaterThan(0);
    expect(await read('four.txt')).toContain('list recorded resources');
    expect(await read('five.txt')).toContain('--- catalog/environments');
    expect(JSON.parse(await read('six.txt')).summary.create).toBeGreaterThan(0);
    expect(await read('seven.txt')).toContain('catalog is valid');
  });
});

// Fish can be asked what it would offer, without a terminal.
test.skipIf(spawnSync('fish', ['--version']).status !== 0).each([
  ['trove vali', 'validate\tcheck the catalog'],
  ['trove --env stag', 'staging\tenvironment'],
  ['trove plan --targ', '--target\t'],
  ['trove plan --target item.tor', 'item.torch\tTorch'],
  ['trove state mv item.lamp ', 'item.torch\tTorch'],
  ['trove init cata', 'catalog/'],
  ['trove plan --out=cata', '--out=catalog/'],
  ['trove plan --env=sta', '--env=staging'],
  ['trove fmt catalog/envi', 'catalog/environments/'],
])('fish completes %j', async (line, offered) => {
  const PATH = `${join(desk.folder, 'bin')}:${process.env.PATH}`;
  const command = `trove completion fish | source; complete -C '${line}'`;
  const env = { ...process.env, PATH, HOME: desk.folder };
  const options = { cwd: desk.folder, env, encoding: 'utf8' } as const;
  expect(spawnSync('fish', ['--no-config', '-c', command], options).stdout).toContain(offered);
});

test.each([
  ['', ['init', 'fmt', 'validate', 'plan']],
  ['state m', ['mv']],
  ['apply --format j', ['json']],
  ['plan --format m', ['markdown']],
  ['validate --format s', ['sarif']],
  ['plan --format=h', ['html']],
  ['plan --format = h', ['html']],
  ['plan --format html=', ['files']],
  ['plan --out ', ['files']],
  ['show ', ['files']],
  ['fmt a.yaml ', ['files']],
  ['--catalog ', ['folders']],
  ['init ', ['folders']],
  ['--env=s', ['staging']],
  ['env diff local s', ['staging']],
  ['env add qa --from s', ['staging']],
  ['env add ', []],
  ['help state un', ['unlock']],
  ['resolve ', []],
  ['resolve classifier.slot --id ', []],
  ['state show item.t', []],
  ['-e s', ['staging']],
  ['plan --reassert item.t', ['item.torch']],
  ['plan --reassert --out x --rec', ['--recover']],
  ['--catalog nowhere plan --target item.t', []],
  ['import item.t', ['item.torch']],
  ['import item.torch ', []],
  ['completion z', ['zsh']],
  ['__co', []],
])('completion after `trove %s` offers %j', async (line, offered) => {
  const { code, stdout, stderr } = await desk.run(`__complete -- ${line}`);
  const words = stdout.split('\n').flatMap((each) => each.trim().split('\t')[0] || []);
  expect([code, stderr]).toEqual([0, '']);
  expect(words.slice(0, 4)).toEqual(offered);
});

describe('completion of addresses', () => {
  const offered = async (team: Team, line: string) => {
    const { code, stdout, stderr } = await team.run(`__complete -- ${line}`);
    expect([code, stderr]).toEqual([0, '']);
    return stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
  };

  test('offers those that fit the argument, and locks and writes nothing', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Slot', 'cut-after');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    await team.project.write(
      'catalog/more.yaml',
      'items:\n  lamp: { name: Lamp, rollNumerator: 1, classifiers: { rarity: common } }\n',
    );
    const { live, pending } = await team.recorded();
    const known = [...Object.keys(live), ...pending.map(({ address }) => address)].sort();
    const before = await team.project.read(statePath);
    expect(await offered(team, 'resolve ')).toEqual(['classifier.slot']);
    for (const command of ['state show', 'state forget', 'state mv'])
      expect((await offered(team, `${command} `)).sort(), command).toEqual(known);
    for (const place of ['import', 'state mv item.torch', 'plan --confirm-new']) {
      const words = await offered(team, `${place} item.`);
      expect(words, place).toContain('item.lamp');
      expect(words, place).not.toContain(Object.keys(live).find((each) => each.startsWith('item.')));
    }
    expect(await offered(team, 'plan --target item.lamp')).toEqual(['item.lamp']);
    expect(await offered(team, 'plan --replace item.lamp')).toEqual([]);
    expect(await offered(team, 'plan --replace classifier.')).toContain('classifier.rarity');
    expect(await offered(team, 'resolve -e local ')).toEqual([]);
    expect(await team.project.read(statePath)).toBe(before);
    expect(await readdir(join(team.project.folder, 'catalog/state'))).toEqual(['staging.json']);
  });

  test('offers none and prints no error if the state, catalog or environment is broken', async () => {
    await using team = await createTeam(smallCatalog);
    await team.project.write(statePath, '{');
    expect(await offered(team, 'state show ')).toEqual([]);
    expect(await offered(team, 'plan --target item.t')).toEqual(['item.torch']);
    await team.project.write('catalog/broken.yaml', '{');
    expect(await offered(team, 'plan --target item.t')).toEqual([]);
    const { code, stdout, stderr } = await team.run('__complete -- val', { env: { TROVE_ENV: 'no[where' } });
    expect([code, stdout.split('\t')[0], stderr]).toEqual([0, 'validate', '']);
  });
});
