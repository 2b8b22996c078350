import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, type Project } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { hasTerminal, runOnTerminal } from '../rig/terminal.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
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
    expect(await read('four.txt')).toContain('everything that is recorded');
    expect(await read('five.txt')).toContain('--- catalog/environments');
  });
});

// Fish can be asked what it would offer, without a terminal.
test.skipIf(spawnSync('fish', ['--version']).status !== 0).each([
  ['trove vali', 'validate\tcheck the catalog'],
  ['trove --env stag', 'staging\tenvironment'],
  ['trove plan --targ', '--target\t'],
  ['trove plan --target item.tor', 'item.torch\tTorch'],
  ['trove state mv ', 'item.torch\tTorch'],
  ['trove fmt catalog/envi', 'catalog/environments/'],
])('fish completes %j', async (line, offered) => {
  await using project = await createDesk();
  const PATH = `${join(project.folder, 'bin')}:${process.env.PATH}`;
  const command = `trove completion fish | source; complete -C '${line}'`;
  const { stdout } = spawnSync('fish', ['--no-config', '-c', command], {
    cwd: project.folder,
    env: { ...process.env, PATH, HOME: project.folder },
    encoding: 'utf8',
  });
  expect(stdout).toContain(offered);
});

test.each([
  ['', ['init', 'fmt', 'validate', 'plan']],
  ['state m', ['mv']],
  ['apply --format j', ['json']],
  ['plan --format j', ['json']],
  ['-e s', ['staging']],
  ['plan --reassert item.t', ['item.torch']],
  ['plan --reassert --out x --rec', ['--recover']],
  ['--catalog nowhere plan --target item.t', []],
  ['import item.t', ['item.torch']],
  ['import item.torch ', []],
  ['completion z', ['zsh']],
  ['__co', []],
])('behind `trove %s` it offers %j', async (line, offered) => {
  await using project = await createDesk();
  const child = spawnSync(process.execPath, [cli, '__complete', '--', ...line.split(' ')], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  const words = child.stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
  expect([child.status, child.stderr]).toEqual([0, '']);
  expect(words.slice(0, 4)).toEqual(offered);
});
