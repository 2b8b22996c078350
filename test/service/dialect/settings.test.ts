import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { program } from '../../../src/commands/program.ts';
import { readDialect } from '../../../src/commands/serve-settings.ts';
import { type ProfilePoint, profilePoints } from '../../../src/contract/profile.ts';
import { type DialectPoint, defaultDialect, dialectPoints } from '../../../src/service/dialect.ts';
import { designer, world } from '../../rig/embedded-service.ts';
import { unwrapped } from '../../rig/project.ts';

const root = resolve(import.meta.dirname, '../../..');
const points = Object.keys(dialectPoints) as DialectPoint[];
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));

/** A folder with `dialect.yaml` and a world, gone after the test. */
async function folderWith(dialect: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-dialect-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'dialect.yaml'), dialect);
  await writeFile(join(folder, 'world.json'), JSON.stringify(world));
  return folder;
}

/** One command line in this process; `interrupt` is what Ctrl-C would do. */
function run(args: string, cwd: string) {
  const output = { stdout: new PassThrough(), stderr: new PassThrough() };
  let listener = (_isRepeated: boolean) => {};
  const onInterrupt = (given: (isRepeated: boolean) => void) => {
    listener = given;
    return () => {};
  };
  const surroundings = { env: {}, cwd, nodeVersion: process.versions.node, now: () => new Date(0) };
  const io = { stdin: new PassThrough(), ...output, ...surroundings, onInterrupt };
  let code: number | undefined;
  const trove = program(io, (given) => {
    code = given;
  });
  const ended = trove.parseAsync(['node', 'trove', ...args.split(' ')]).then(() => ({
    code,
    stdout: String(output.stdout.read() ?? ''),
    stderr: String(output.stderr.read() ?? ''),
  }));
  return { ended, stdout: output.stdout, interrupt: () => listener(false) };
}

describe('the points', () => {
  test('are the same in the code and in the schema, with a word about each', async () => {
    const { properties } = await readJson('schemas/dialect.schema.json');
    const { $schema, ...inSchema } = properties as Record<string, { enum: unknown[]; description: string }>;
    expect($schema).toBeDefined();
    const values = Object.entries(inSchema).map(([point, schema]) => [point, schema.enum]);
    expect(Object.fromEntries(values)).toEqual(dialectPoints);
    for (const point of points) {
      expect(inSchema[point]).toMatchObject({
        title: expect.any(String),
        description: expect.stringMatching(/\.$/),
        default: dialectPoints[point][0],
      });
    }
  });

  test('have their first value for a default', () => {
    const firsts = points.map((point) => [point, dialectPoints[point][0]]);
    expect(defaultDialect).toEqual(Object.fromEntries(firsts));
  });

  test('are all in docs/dialects.md, in their order, with every value', async () => {
    const docs = await readFile(join(root, 'docs/dialects.md'), 'utf8');
    const rows = docs.split('\n').filter((line) => /^\| `/.test(line));
    expect(rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1])).toEqual(points);
    for (const [index, point] of points.entries()) {
      const bold = [...(rows[index] ?? '').matchAll(/\*\*`([^`]+)`\*\*/g)].map(([, value]) => value);
      expect(bold).toEqual(dialectPoints[point].map(String));
    }
  });

  test('that the profile has too are named as there', () => {
    const own = ['itemUpdate.nullThumbnail', 'itemUpdate.emptyThumbnail'];
    const shared = points.filter((point) => point.includes('.') && !own.includes(point));
    const inProfile = (Object.keys(profilePoints) as ProfilePoint[]).filter(
      (point) => point !== 'itemUpdate.clearThumbnail',
    );
    expect(shared.sort()).toEqual([...inProfile].sort());
  });
});

describe('a dialect file', () => {
  test('gives the points that it names, in YAML or JSON', async () => {
    const yaml = 'itemCreate.existingId: 500\nitemUpdate.assignments: merge\n$schema: any\n';
    const expected = { 'itemCreate.existingId': 500, 'itemUpdate.assignments': 'merge' };
    const read = await readDialect('dialect.yaml', await folderWith(yaml));
    expect(read.ok && read.value).toEqual(expected);
    const json = await readDialect('dialect.yaml', await folderWith(JSON.stringify(expected)));
    expect(json.ok && json.value).toEqual(expected);
  });

  test('has every problem told with its place', async () => {
    const folder = await folderWith(
      'itemUpdate.asignments: merge\nerrorBody: xml\nitemCreate.existingId: "409"\n',
    );
    const { code, stderr } = await run('serve --print-dialect --dialect dialect.yaml', folder).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('dialect.yaml:1:1');
    expect(stderr).toContain('did you mean `itemUpdate.assignments`?');
    expect(stderr).toContain('dialect.yaml:2:12');
    expect(unwrapped(stderr)).toContain('possible is `json`, `text`, `empty` and `html`');
    expect(stderr).toContain('dialect.yaml:3:24');
    expect(stderr).toContain('remove the quotes');
  });

  test('that is not there is a problem of its own', async () => {
    const { code, stderr } = await run('serve --db s.db --dialect none.yaml', await folderWith('')).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('none.yaml')]);
  });
});

describe('trove serve', () => {
  test('--print-dialect shows every point with its default marked, without a database', async () => {
    const { code, stdout } = await run('serve --print-dialect', await folderWith('')).ended;
    expect(code).toBe(0);
    const [, ...lines] = stdout.trimEnd().split('\n');
    const expected = points.map((point) => {
      const [first, ...others] = dialectPoints[point];
      return `${point} ${first} (default) ${others.join(', ')}`;
    });
    expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual(expected);
  });

  test('--print-dialect shows what a file says', async () => {
    const folder = await folderWith('update.unknownId: created\n');
    const { stdout } = await run('serve --print-dialect --dialect dialect.yaml', folder).ended;
    expect(stdout).toMatch(/^update\.unknownId +created +404 \(default\), 400$/m);
    expect(stdout).toMatch(/^timestamps +iso \(default\) +sql$/m);
  });

  test('needs a database otherwise', async () => {
    const { code, stdout, stderr } = await run('serve', await folderWith('')).ended;
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('--db FILE')]);
  });

  test('speaks the dialect of the file', async () => {
    const folder = await folderWith('successStatus: 201-on-create\ntimestamps: sql\n');
    const serving = run('serve --db s.db --world world.json --dialect dialect.yaml --seed 3', folder);
    const [line] = await new Promise<string[]>((heard) =>
      serving.stdout.once('data', (chunk) => heard(String(chunk).split('\n'))),
    );
    const response = await fetch(`${line?.replace('Listening on ', '')}/items`, {
      method: 'POST',
      headers: { authorization: designer, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] }),
    });
    const { createdAt } = (await response.json()) as { createdAt: string };
    expect([response.status, createdAt]).toEqual([201, expect.stringMatching(/^[\d-]{10} [\d:]{8}$/)]);
    serving.interrupt();
    expect(await serving.ended).toMatchObject({ code: 0, stderr: '' });
  });
});
