import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Which layers a layer may import. Data flows in the reading order of docs/architecture.md. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  text: [],
  markup: [],
  contract: [],
  catalog: ['text'],
  environment: ['text', 'contract', 'catalog'],
  state: ['text', 'contract', 'catalog'],
  resources: ['contract', 'catalog', 'state'],
  plan: ['text', 'contract', 'catalog', 'environment', 'state', 'resources'],
  api: ['contract', 'state'],
  apply: ['contract', 'catalog', 'environment', 'state', 'resources', 'plan', 'api'],
  probe: ['contract', 'catalog', 'environment', 'state', 'resources', 'api', 'apply'],
  render: ['text', 'markup', 'contract', 'catalog', 'environment', 'state', 'plan', 'api', 'apply', 'probe'],
  service: ['markup', 'contract'],
  commands: [
    'text',
    'contract',
    'catalog',
    'environment',
    'state',
    'resources',
    'plan',
    'api',
    'apply',
    'probe',
    'render',
    'service',
  ],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

const files = sourceFiles(join(root, 'src'));
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, specifier = '']) => {
      const target = normalize(join(dirname(file), specifier));
      return { file, from: layerOf(file), to: layerOf(target), target };
    },
  ),
);

describe('the architecture', () => {
  test('has the layers of the table, and each has files', () => {
    const layers = new Set(files.map(layerOf).filter((layer) => layer !== ''));
    expect([...layers].sort()).toEqual(Object.keys(allowed).sort());
  });

  test('lets layers import only what the table allows', () => {
    expect(imports.length).toBeGreaterThan(300);
    const strays = imports.filter(
      ({ from, to, target }) =>
        from !== to &&
        from !== '' &&
        !target.startsWith('generated/') &&
        to !== '' &&
        !allowed[from]?.includes(to),
    );
    expect(strays.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test('has no circular imports', () => {
    const targets = new Map(
      files.map((file) => [file, imports.filter((each) => each.file === file).map(({ target }) => target)]),
    );
    const circle = (file: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(file)) return [...path, file];
      if (done.has(file)) return undefined;
      const found = (targets.get(file) ?? [])
        .map((next) => circle(next, [...path, file]))
        .find((each) => each !== undefined);
      done.add(file);
      return found;
    };
    const done = new Set<string>();
    expect(files.map((file) => circle(file, [])).filter((each) => each !== undefined)).toEqual([]);
  });

  test('lets only the program import commands, which it loads when they run', () => {
    const program = 'src/commands/program.ts';
    const loaded = readFileSync(join(root, program), 'utf8').matchAll(/import\('\.\/([^']+)'\)/g);
    const commands = new Set([...loaded].map(([, file]) => `src/commands/${file}`));
    const backwards = imports.filter(({ file, target }) => commands.has(target) && file !== program);
    expect(backwards.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
    expect(commands.size).toBeGreaterThan(10);
  });

  test.each([
    [
      'process.',
      ['src/cli.ts', 'src/state/lock-owner.ts', 'src/state/file/disk.ts', 'src/state/git/run-git.ts'],
    ],
    ['console.', []],
    ['Date.now()', []],
    ['Math.random()', []],
  ])('keeps %s in the files that may use it', (text, allowed) => {
    const found = files.filter((file) => codeOf(file).includes(text));
    expect(found.filter((file) => !allowed.includes(file))).toEqual([]);
  });
});

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('src', path));
}

function layerOf(file: string): string {
  const [top, layer, rest] = file.split('/');
  return top === 'src' && layer !== undefined && rest !== undefined ? layer : '';
}

/** Without comments. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
