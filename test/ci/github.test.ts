import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import { runAction } from '../rig/github-runner.ts';
import { addPreview, apply, applyFirst, branches, filesOnBranch, stateOf } from '../rig/pipeline.ts';
import { textOf } from '../rig/read-page.ts';
import { recorded } from '../rig/recorded.ts';
import { createRepository, type Repository } from '../rig/repository.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

const newItems = Array.from(
  { length: 12 },
  (_, n) => `  item-${n}: { name: Item ${n}, rollNumerator: ${n} }\n`,
).join('');

/** Ends the process that holds the lock of the state, as if the machine went down. */
function killTrove({ remote }: Repository): void {
  const show = ['show', 'trove-state:staging.json.lock'];
  const lock = execFileSync('git', show, { cwd: remote, encoding: 'utf8' });
  process.kill((JSON.parse(lock) as LockOwner).process.pid, 'SIGKILL');
}

interface Step {
  readonly uses: string;
  readonly with: Readonly<Record<string, string>>;
}

/** What a workflow gives the action to plan with, and what it keeps of that. */
async function planJob(workflow: string) {
  const path = join(import.meta.dirname, '../../docs/ci', workflow);
  const { jobs } = load(await readFile(path, 'utf8')) as { jobs: { plan: { steps: readonly Step[] } } };
  const { steps } = jobs.plan;
  const inputs = steps.find(({ with: given }) => given?.command === 'plan')?.with ?? {};
  const upload = steps.find(({ uses }) => uses.startsWith('actions/upload-artifact@'));
  return { inputs, kept: upload?.with.path?.trim().split('\n') ?? [] };
}

test('a pull request from a fork gets a plan without credentials, whose names are no commands', async () => {
  await using repository = await createRepository(smallCatalog);
  await repository.merge('catalog/game.yaml', 'name: Torch', 'name: "::error::Torch"');
  const checkout = await repository.checkout();
  const inputs = { command: 'plan', environments: 'staging', 'plan-file': 'trove-plan.json' };
  const result = await runAction({ checkout, inputs });
  expect(result).toMatchObject({
    failed: false,
    outcomes: { run: 'success', unlock: 'skipped' },
    outputs: { 'exit-code': '2', changes: 'true' },
  });
  expect(result.summary).toContain('## trove plan: there are changes');
  expect(result.summary).toContain('classifier.rarity');
  const [, stopped] = /^::stop-commands::(\S+)$/m.exec(result.log) ?? [];
  const resumed = result.log.indexOf(`\n::${stopped}::\n`);
  expect(resumed).toBeGreaterThan(result.log.indexOf('item.torch'));
  expect(JSON.parse(await readFile(join(checkout, 'trove-plan.json'), 'utf8'))).toHaveProperty('savedPlan');
  expect(repository.team.gateway.exchanges).toEqual([]);
  expect(await branches(repository)).toEqual(['refs/heads/main']);
});

test.each(['github-plan.yml', 'github-apply.yml'])(
  '%s keeps the plan and a page to review it',
  async (name) => {
    await using repository = await createRepository(smallCatalog);
    const checkout = await repository.checkout();
    const { inputs, kept } = await planJob(name);
    expect(await runAction({ checkout, inputs })).toMatchObject({ failed: false });
    expect(kept).toEqual(['trove-plan.html', 'trove-plan.json']);
    const [page = '', plan = ''] = await Promise.all(
      kept.map((path) => readFile(join(checkout, path), 'utf8')),
    );
    expect(textOf(page)).toContain('Plan: 5 to create.');
    expect(JSON.parse(plan)).toHaveProperty('savedPlan');
  },
);

test('an invalid catalog fails the pull request, with problems at their lines and in the summary', async () => {
  await using repository = await createRepository(smallCatalog);
  await repository.merge('catalog/game.yaml', 'rarity: rare', 'rarity: raer');
  const checkout = await repository.checkout();
  const result = await runAction({ checkout, inputs: { command: 'validate', environments: 'staging' } });
  expect(result).toMatchObject({ failed: true, outputs: { 'exit-code': '1' } });
  expect(result.log).toContain('[unknown-reference]');
  expect(result.log).toContain('::error title=trove validate (exit code 1)::');
  const [, resumed = ''] = result.log.split(/^::[0-9a-f]{32}::$/m);
  expect(resumed).toMatch(/^::error file=catalog\/game\.yaml,line=\d+,/m);
  expect(result.summary.match(/`raer`/g)).toHaveLength(1);
  expect(result.summary).not.toMatch(/^ {4}/m);
});

test('apply on merge records the state on its branch, and a second one sends nothing', async () => {
  await using repository = await createRepository(smallCatalog);
  const waiting = await repository.checkout();
  const first = await applyFirst(repository);
  expect(first).toMatchObject({ failed: false, outputs: { 'exit-code': '0' } });
  expect(Object.keys(recorded(await stateOf(repository)).live)).toHaveLength(5);
  expect(await branches(repository)).toEqual(['refs/heads/main', 'refs/heads/trove-state']);
  expect(await filesOnBranch(repository)).toEqual(['staging.json']);
  const saved = await repository.git('show', '--no-patch', '--format=%s%n%b', 'trove-state~1');
  expect(saved).toMatch(/^staging: serial 1\n/);
  expect(saved).toContain('\nRun: https://git.example/game/catalog/actions/runs/17\n');
  expect(saved).toContain(`\nCatalog: ${await repository.git('rev-parse', 'main')}`);
  const commit = await repository.git('rev-parse', 'trove-state~1');
  const sent = repository.team.gateway.count('POST', 'PUT');
  expect(await apply(repository)).toMatchObject({ failed: false, outcomes: { unlock: 'success' } });
  expect(repository.team.gateway.count('POST', 'PUT')).toBe(sent);
  // Neither does one that had to wait, and started after the run before it.
  const second = await apply(repository, { checkout: waiting, inputs: { 'new-environment': 'true' } });
  expect(second).toMatchObject({ failed: false });
  expect(repository.team.gateway.count('POST', 'PUT')).toBe(sent);
  expect(await repository.git('rev-parse', 'trove-state~1')).toBe(commit);
});

test('an approved plan is applied once, and blocked changes fail unless they may only warn', async () => {
  await using repository = await createRepository(smallCatalog);
  await applyFirst(repository);
  await repository.merge('catalog/game.yaml', 'name: Torch', 'name: Lantern');
  const checkout = await repository.checkout();
  const inputs = { environments: 'staging', 'plan-file': 'trove-plan.json' };
  await runAction({ checkout, inputs: { ...inputs, command: 'plan' } });
  expect(await apply(repository, { checkout, inputs })).toMatchObject({ failed: false });
  expect(repository.team.gateway.count('PUT')).toBe(1);
  const again = await apply(repository, { checkout, inputs });
  expect(again).toMatchObject({ failed: true, outcomes: { run: 'failure' } });
  expect(again.log).toContain('[stale-plan]');
  expect(again.summary).toContain('(Re-run all jobs, not only the failed one)');
  expect(again.summary).toContain('the state has changed since the plan was saved');
  expect(repository.team.gateway.count('PUT')).toBe(1);

  // Blocked ends with 3, or is a warning on request.
  await repository.merge('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
  expect(await apply(repository)).toMatchObject({ failed: true, outputs: { 'exit-code': '3' } });
  const warned = await apply(repository, { inputs: { blocked: 'warn' } });
  expect(warned).toMatchObject({ failed: false, outputs: { 'exit-code': '3' } });
  expect(warned.log).toContain('::warning title=trove apply (exit code 3)::');
});

test('several environments share one plan file and one branch', async () => {
  await using repository = await createRepository(smallCatalog);
  await addPreview(repository);
  const inputs = {
    environments: 'staging\n preview',
    'plan-file': 'trove-plan.json',
    'new-environment': 'true',
  };
  const checkout = await repository.checkout();
  await runAction({ checkout, inputs: { ...inputs, command: 'plan' } });
  const result = await apply(repository, { checkout, inputs });
  expect(result).toMatchObject({ failed: false });
  expect(await filesOnBranch(repository)).toEqual(['preview.json', 'staging.json']);
});

test('two jobs at once create no record twice and lose no ID', async () => {
  await using repository = await createRepository(smallCatalog);
  const job = { inputs: { 'new-environment': 'true' } };
  await Promise.all([apply(repository, job), apply(repository, job)]);
  expect(repository.team.service.ledger().map(({ createdTimes }) => createdTimes)).toEqual([1, 1, 1, 1, 1]);
  expect(Object.keys(recorded(await stateOf(repository)).live)).toHaveLength(5);
});

test('a killed apply leaves its journal on the branch and no lock, and the next run replays it', async () => {
  await using repository = await createRepository(
    smallCatalog,
    'profile: { itemCreate.clientId: honoured }\n',
  );
  const { gateway } = repository.team;
  await applyFirst(repository);
  await repository.merge('catalog/game.yaml', '  torch:', `${newItems}  torch:`);
  gateway.decide = ({ method }) => {
    if (method === 'POST' && gateway.count('POST') === 8) killTrove(repository);
    return 'pass';
  };
  expect(await apply(repository)).toMatchObject({
    outputs: { 'exit-code': '137' },
    outcomes: { run: 'failure', unlock: 'success' },
  });
  const left = await filesOnBranch(repository);
  expect(left).toContain('staging.json.journal/1-000001');
  expect(left).not.toContain('staging.json.lock');
  gateway.decide = () => 'pass';
  const next = await apply(repository);
  expect(next).toMatchObject({ failed: false });
  expect(next.log).toContain('journal entries from an interrupted run');
  expect(await filesOnBranch(repository)).toEqual(['staging.json']);
  const times = repository.team.service.ledger().map(({ createdTimes }) => createdTimes);
  expect(times).toEqual(Array.from({ length: 17 }, () => 1));
});

test('a canceled job finishes its requests in flight and keeps their outcomes', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  let pid = 0;
  gateway.decide = ({ method }) => {
    if (method === 'POST' && gateway.count('POST') === 1) process.kill(pid, 'SIGINT');
    return 'pass';
  };
  const started = (id: string, own: number) => {
    if (id === 'run') pid = own;
  };
  const result = await apply(repository, { started, inputs: { 'new-environment': 'true' } });
  expect(result).toMatchObject({
    failed: true,
    outputs: { 'exit-code': '130' },
    outcomes: { unlock: 'success' },
  });
  gateway.decide = () => 'pass';
  expect(await apply(repository)).toMatchObject({ failed: false });
  expect(repository.team.service.ledger().map(({ createdTimes }) => createdTimes)).toEqual([1, 1, 1, 1, 1]);
});

test('a partial failure is recorded with its exit code, and unknown creates are not repeated', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  const state = async () => recorded(await stateOf(repository));
  const ended = (code: string) => ({ failed: true, outputs: { 'exit-code': code } });

  gateway.decide = ({ body }) => (body.name === 'Oak Bow' ? { status: 400, body: '{}' } : 'pass');
  const outcomes = { run: 'failure', unlock: 'success' };
  expect(await applyFirst(repository)).toMatchObject({ ...ended('1'), outcomes });
  expect(Object.keys((await state()).live)).toHaveLength(4);

  gateway.decide = ({ body }) => (body.name === 'Era' ? 'cut-after' : 'pass');
  const era = '  era: { name: Era, options: { old: { name: Old, dropRateMultiplier: 1 } } }\n';
  await repository.merge('catalog/game.yaml', 'classifiers:\n', `classifiers:\n${era}`);
  const unknown = await apply(repository);
  expect(unknown).toMatchObject(ended('4'));
  expect(unknown.log).toContain('settle it with trove resolve');
  expect((await state()).pending).toHaveLength(1);
  expect(await apply(repository)).toMatchObject(ended('4'));
  const times = repository.team.service.ledger().map(({ createdTimes }) => createdTimes);
  expect(times).toEqual(Array.from({ length: 6 }, () => 1));
});
