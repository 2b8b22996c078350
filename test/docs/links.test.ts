import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What is linked for those who have the repository: too much for a package. */
const repositoryOnly = ['bench/README.md', 'test/packed.sh', 'test/architecture.test.ts'];

const packed = packedFiles();
const documents = packed.filter((path) => path.endsWith('.md'));

describe('the documents in the package', () => {
  test('include the main ones, and no sources, tests or files of a run', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']),
    );
    expect(packed.filter((path) => /\.trove|^bench|^test|^src/.test(path))).toEqual([]);
  });

  test.each(documents)('include %s and everything to which it links', (document) => {
    const links = [...readFileSync(join(root, document), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => join(dirname(document), link));
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
    const lost = links.filter((link) => !packed.some((path) => path === link || path.startsWith(`${link}/`)));
    expect(lost.filter((link) => !repositoryOnly.includes(link))).toEqual([]);
  });
});

function packedFiles(): readonly string[] {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const [pack] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })) as {
    files: { path: string }[];
  }[];
  return (pack?.files ?? []).map(({ path }) => path);
}
