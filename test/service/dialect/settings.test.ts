import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ProfilePoint, profilePoints } from '../../../src/contract/profile.ts';
import { type DialectPoint, dialectPoints } from '../../../src/service/dialect.ts';
import { createProject } from '../../rig/project.ts';

const root = resolve(import.meta.dirname, '../../..');
const points = Object.keys(dialectPoints) as DialectPoint[];
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));

/** One command line in a folder with this dialect file. */
async function run(args: string, dialect: string) {
  await using project = await createProject({ 'dialect.yaml': dialect });
  return await project.run(args);
}

describe('the points of a dialect', () => {
  test('have a description in the schema, and the first value as default', async () => {
    const { properties } = await readJson('schemas/dialect.schema.json');
    for (const point of points) {
      const word = { title: expect.any(String), description: expect.stringMatching(/\.$/) };
      expect(properties[point]).toMatchObject({ ...word, default: dialectPoints[point][0] });
    }
  });

  test('are all in docs/dialects.md in order, with every value', async () => {
    const docs = await readFile(join(root, 'docs/dialects.md'), 'utf8');
    const rows = docs.split('\n').filter((line) => /^\| `/.test(line));
    expect(rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1])).toEqual(points);
    for (const [index, point] of points.entries()) {
      const bold = [...(rows[index] ?? '').matchAll(/\*\*`([^`]+)`\*\*/g)].map(([, value]) => value);
      expect(bold).toEqual(dialectPoints[point].map(String));
    }
  });

  test('have the same names as in the profile', () => {
    const own = ['itemUpdate.nullThumbnail', 'itemUpdate.emptyThumbnail'];
    const shared = points.filter((point) => point.includes('.') && !own.includes(point));
    const inProfile = (Object.keys(profilePoints) as ProfilePoint[]).filter(
      (point) => point !== 'itemUpdate.clearThumbnail',
    );
    expect(shared.sort()).toEqual([...inProfile].sort());
  });
});

test('a dialect file is YAML or JSON with the points that differ', async () => {
  const yaml = 'itemCreate.existingId: 500\nitemUpdate.assignments: merge\n$schema: any\n';
  const json = JSON.stringify({ 'itemCreate.existingId': 500, 'itemUpdate.assignments': 'merge' });
  for (const text of [yaml, json]) {
    const { stdout } = await run('serve --print-dialect --dialect dialect.yaml', text);
    expect(stdout).toMatch(/^itemCreate\.existingId +500 .*\n(?:.*\n)*timestamps +iso \(default\)/m);
    expect(stdout).toMatch(/^itemUpdate\.assignments +merge +replace \(default\)$/m);
  }
});

test('every problem of a dialect file is reported with its location', async () => {
  const text = 'itemUpdate.asignments: merge\nerrorBody: xml\nitemCreate.existingId: "409"\n';
  const { code, stderr } = await run('serve --print-dialect --dialect dialect.yaml', text);
  expect(code).toBe(1);
  const places = ['dialect.yaml:1:1', 'dialect.yaml:2:12', 'dialect.yaml:3:24'];
  for (const told of [...places, 'did you mean `itemUpdate.assignments`?', 'remove the quotes'])
    expect(stderr).toContain(told);
  const missing = await run('serve --db s.db --dialect none.yaml', '');
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('none.yaml') });
});

describe('trove serve', () => {
  test('--print-dialect shows every point with its default marked, without a database', async () => {
    const { code, stdout } = await run('serve --print-dialect', '');
    expect(code).toBe(0);
    const [, ...lines] = stdout.trimEnd().split('\n');
    const expected = points.map((point) => {
      const [first, ...others] = dialectPoints[point];
      return `${point} ${first} (default) ${others.join(', ')}`;
    });
    expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual(expected);
  });

  test('needs a database without --print-dialect', async () => {
    const finished = await run('serve', '');
    expect(finished).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--db FILE') });
  });
});
