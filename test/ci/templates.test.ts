import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => load(readFileSync(join(root, path), 'utf8')) as never;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const action = read('action.yml') as {
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  runs: { steps: Step[] };
};
const workflows = readdirSync(join(root, 'docs/ci')).filter((name) => name.startsWith('github-'));

describe.each(workflows)('%s', (name) => {
  const text = readFileSync(join(root, 'docs/ci', name), 'utf8');
  const { jobs } = read(`docs/ci/${name}`) as { jobs: Record<string, { steps: Step[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const ours = steps.filter(({ uses }) => uses?.startsWith('OWNER/trove@'));

  test('uses only inputs and outputs that the action has', () => {
    expect(ours.length).toBeGreaterThan(0);
    const given = ours.flatMap((step) => Object.keys(step.with ?? {}));
    expect(given.filter((input) => !(input in action.inputs))).toEqual([]);
    const outputs = [...text.matchAll(/steps\.plan\.outputs\.([a-z-]+)/g)].map(([, output = '']) => output);
    expect(outputs.filter((output) => !(output in action.outputs))).toEqual([]);
  });
});

describe("GitHub's own parser", () => {
  const trace = new NoOperationTraceWriter();
  const problems = (parsed: ReturnType<typeof parseWorkflow>) =>
    parsed.context.errors.getErrors().map(({ message }) => message);

  test.each(workflows)('accepts %s', (name) => {
    const content = readFileSync(join(root, 'docs/ci', name), 'utf8');
    expect(problems(parseWorkflow({ name, content }, trace))).toEqual([]);
    const wrong = { name, content: content.replace('runs-on', 'run-on') };
    expect(problems(parseWorkflow(wrong, trace))).toContainEqual(expect.stringContaining("'run-on'"));
  });

  test('accepts the action with its expressions', () => {
    const content = readFileSync(join(root, 'action.yml'), 'utf8');
    expect(problems(parseAction({ name: 'action.yml', content }, trace))).toEqual([]);
    const wrong = { name: 'action.yml', content: content.replace('{{ steps.run.', '{{ stepz.run.') };
    expect(problems(parseAction(wrong, trace))).toContainEqual(expect.stringContaining("'stepz'"));
  });
});

test.skipIf(spawnSync('shellcheck', ['--version']).status !== 0)(
  'shellcheck finds nothing in the scripts',
  () => {
    const scripts = readdirSync(join(root, 'ci')).map((name) => `ci/${name}`);
    const options = ['--external-sources', '--source-path=SCRIPTDIR', '--format=gcc'];
    const found = spawnSync(
      'shellcheck',
      [...options, ...scripts, '.ci/run', 'test/packed.sh', 'src/commands/completion/trove.bash'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(found.stdout + found.stderr).toBe('');
  },
);

test('no text of a pull request gets into a script: scripts contain no expressions', () => {
  const scripts = [
    ...action.runs.steps,
    ...workflows.flatMap((name) =>
      Object.values((read(`docs/ci/${name}`) as { jobs: Record<string, { steps: Step[] }> }).jobs).flatMap(
        ({ steps }) => steps,
      ),
    ),
  ].flatMap(({ run }) => run ?? []);
  expect(scripts).toHaveLength(3);
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
});

test('a pull request gets no secret and may write nothing', () => {
  const text = readFileSync(join(root, 'docs/ci/github-plan.yml'), 'utf8');
  expect(text).toMatch(/^ {2}pull_request:$/m);
  expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m);
  expect(text).not.toMatch(/secrets\.|pull_request_target|: write|write-all/);
});
