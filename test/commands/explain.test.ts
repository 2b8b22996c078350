import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogProblems } from '../../src/render/messages/catalog-problems.ts';
import { commandProblems } from '../../src/render/messages/command-problems.ts';
import { environmentProblems } from '../../src/render/messages/environment-problems.ts';
import { textProblems, yamlProblems } from '../../src/render/messages/file-problems.ts';
import { applyProblems, planProblems } from '../../src/render/messages/plan-problems.ts';
import { importProblems, stateCommandProblems } from '../../src/render/messages/state-command-problems.ts';
import { stateProblems } from '../../src/render/messages/state-problems.ts';
import { createProject, type Project } from '../rig/project.ts';

let project: Project;
beforeAll(async () => {
  project = await createProject({});
});
afterAll(() => project[Symbol.asyncDispose]());

test('explain shows a code, even in its brackets', async () => {
  const explained = await project.run('explain [stale-plan]');
  expect(explained).toMatchObject({ code: 0, stdout: expect.stringMatching(/^stale-plan\b/) });
  expect(explained.stdout).not.toMatch(/\]\(|```/);
  expect(explained).toEqual(await project.run('explain stale-plan'));
});

test.each(['looked-for', 'create-unseen', 'option-change'])(
  'explain %s names the page to see',
  async (code) => {
    const { stdout } = await project.run(`explain ${code}`);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/See "[^"]+" in Trove's docs\/\w+\.md\./);
  },
);

test('explain lists all codes, and suggests the nearest to an unknown one', async () => {
  expect((await project.run('explain')).stdout).toMatch(/\bstale-plan\b/);
  const { code, stderr } = await project.run('explain stale-pan');
  expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean `stale-plan`?')]);
});

const explained = [...readFileSync('docs/problems.md', 'utf8').matchAll(/^### (.*)$/gm)].flatMap(
  ([, codes = '']) => codes.split(', '),
);

test('docs/problems.md has each code once', () => {
  expect(explained.filter((code, at) => explained.indexOf(code) !== at)).toEqual([]);
});

const messages = [
  textProblems,
  yamlProblems,
  catalogProblems,
  environmentProblems,
  applyProblems,
  commandProblems,
  stateCommandProblems,
  importProblems,
  planProblems,
  stateProblems,
];
const reasons = ['src/plan/reason.ts', 'src/resources/fields.ts'].flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/code: ((?:[ |]*'[a-z-]+')+)/g)].flatMap(
    ([, union = '']) => union.match(/[a-z-]+/g) ?? [],
  ),
);
const codes = new Set([...messages.flatMap((table) => Object.keys(table)), ...reasons]);

test.each([...codes])('docs/problems.md explains %s', (code) => {
  expect(explained).toContain(code);
});
