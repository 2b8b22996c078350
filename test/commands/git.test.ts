import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/model.ts';
import type { CommandContext } from '../../src/commands/context.ts';
import { catalogOrigin, countIgnored } from '../../src/commands/git.ts';
import { folderWith } from '../catalog/folder.ts';

const config = (ran: string) => `[core]
\trepositoryformatversion = 0
\tbare = false
\tworktree = .
[filter "x"]
\tclean = "touch '${ran}'; cat"
`;

/** A project in git; its catalog folder is also laid out as a repository of its own, with a command in its config. */
async function hostileProject(name: string) {
  const folder = await folderWith({
    [`${name}/game.yaml`]: 'items: {}\n',
    [`${name}/HEAD`]: 'ref: refs/heads/main\n',
    [`${name}/objects/keep`]: '',
    [`${name}/refs/heads/keep`]: '',
    [`${name}/.gitattributes`]: '*.yaml filter=x\n',
    [`${name}/.gitignore`]: '.trove/\n',
  });
  const ran = join(folder, 'ran');
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8' });
  const catalog = join(folder, name);
  await writeFile(join(catalog, 'config'), config(ran));
  const own = ['--git-dir=.', '--work-tree=.'];
  const blob = git(catalog, ...own, 'hash-object', '-w', '--no-filters', 'game.yaml').trim();
  git(catalog, ...own, 'update-index', '--add', '--cacheinfo', `100644,${blob},game.yaml`);
  git(folder, 'init', '--quiet');
  const io = { env: process.env };
  return { git, ran, folder, catalog, context: { io, catalogPath: catalog } as unknown as CommandContext };
}

test.each(['catalog', 'catalog ', 'catalog\n'])(
  'a catalog laid out as a repository runs none of its commands: %j',
  async (name) => {
    const { git, ran, catalog, context } = await hostileProject(name);
    expect(await catalogOrigin({ digest: 'd' } as Catalog, context)).toEqual({ catalog: 'd' });
    expect(await countIgnored(['.trove/x'], context)).toBeUndefined();
    expect(existsSync(ran)).toBe(false);
    // Git itself accepts it as one.
    git(catalog, 'status', '--porcelain');
    expect(existsSync(ran)).toBe(true);
  },
);
