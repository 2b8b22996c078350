import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

/** Two problems that are alike, one with another end, and one in a name that looks like a command. */
const broken = {
  ...smallCatalog,
  'catalog/more items, 100%.yaml': `items:
  torch: { name: Torch, rollNumerator: 1 }
  lamp: { name: Lamp, rollNumerator: 1, classifiers: { rarity: "::error::x\\n" } }
  lantern: { name: Lantern, rollNumerator: 1, classifiers: { rarity: "@team [x](https://evil.example)" } }
`,
};

async function sarifValidator() {
  const schema = join(import.meta.dirname, '../rig/sarif-2.1.0.schema.json');
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
  return ajv.compile(JSON.parse(await readFile(schema, 'utf8')));
}

describe('validate', () => {
  test('lists every problem as JSON, with its place and related places', async () => {
    await using project = await createProject(broken);
    const { stdout, code } = await project.run('validate --format json');
    expect(code).toBe(1);
    const problems = JSON.parse(stdout);
    expect(problems).toHaveLength(3);
    expect(problems).toContainEqual({
      rule: 'duplicate-key',
      severity: 'error',
      message: expect.any(String),
      hint: null,
      file: 'catalog/more items, 100%.yaml',
      line: 2,
      column: 3,
      related: [{ message: expect.any(String), file: 'catalog/game.yaml', line: 22, column: 3 }],
    });
  });

  test('shares its count of problems with plan', async () => {
    await using project = await createProject(broken);
    const { stderr } = await project.run('plan');
    expect(stderr).toMatch(/\n\n3 problems found\.\n$/);
  });

  test('prints an empty JSON list and a text summary for a valid catalog', async () => {
    await using project = await createProject(smallCatalog);
    const { stdout } = await project.run('validate --format json=problems.json --format text');
    expect(JSON.parse(await project.read('problems.json'))).toEqual([]);
    expect(stdout).toBe('catalog is valid: 2 classifiers and 3 items in 1 file, 1 environment.\n');
  });

  test('prints one escaped GitHub command per problem and lists them in the summary', async () => {
    await using project = await createProject(broken);
    const env = { GITHUB_STEP_SUMMARY: 'summary.md' };
    const { stdout } = await project.run('validate --format github', { env });
    expect(stdout).toMatchSnapshot();
    expect(await project.read('summary.md')).toMatchSnapshot();
  });

  test('prints ten GitHub annotations, the last of which counts the rest', async () => {
    const items = Array.from({ length: 30 }, (_, at) => `  item-${at}: { name: X, rollNumerator: x }\n`);
    await using project = await createProject({ 'catalog/items.yaml': `items:\n${items.join('')}` });
    const { stdout } = await project.run('validate --format github');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[9]).toMatch(/^::error title=21 more annotations::/);
  });

  test('prints GitLab fingerprints that are unique and survive moved lines', async () => {
    await using project = await createProject(broken);
    const report = async () =>
      JSON.parse((await project.run('validate --format gitlab')).stdout) as { fingerprint: string }[];
    const before = await report();
    expect(before[0]).toEqual({
      description: expect.any(String),
      check_name: expect.any(String),
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'catalog/more items, 100%.yaml', lines: { begin: 2 } },
    });
    const prints = before.map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(3);
    await project.edit('catalog/more items, 100%.yaml', 'items:\n', '# moved\nitems:\n');
    expect((await report()).map(({ fingerprint }) => fingerprint)).toEqual(prints);
  });

  test('puts problems without a file at the catalog', async () => {
    await using project = await createProject({ 'other/file': '' });
    const [issue] = JSON.parse((await project.run('validate --format gitlab')).stdout);
    expect(issue.location).toEqual({ path: 'catalog', lines: { begin: 1 } });
  });

  test.each([
    ['broken', broken],
    ['valid', smallCatalog],
    ['missing', { 'other/file': '' }],
  ])(
    'prints SARIF for a %s catalog that matches its schema',
    async (_, files: Readonly<Record<string, string>>) => {
      await using project = await createProject(files);
      const { stdout } = await project.run('validate --format sarif');
      const validate = await sarifValidator();
      const log = JSON.parse(stdout);
      expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...log, version: '2.0.0' })).toBe(false);
      if (log.runs[0].results.length > 1)
        expect(stdout).toContain(String.raw`@team \\[x\\](https://evil.example)`);
      const uris = JSON.stringify(log).match(/"uri":"[^"]+"/g) ?? [];
      for (const uri of uris)
        expect(uri).toMatch(/^"uri":"catalog(?:\/(?:game|more%20items%2C%20100%25)\.yaml)?"$/);
    },
  );
});
