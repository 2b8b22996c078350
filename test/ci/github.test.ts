import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import type { LockOwner } from '../../src/state/lock-owner.ts';
import { runAction } from '../rig/github-runner.ts';
import { addPreview, apply, applyFirst, branches, filesOn, mark, secrets, stateOn } from '../rig/pipeline.ts';
import { textOf } from '../rig/read-page.ts';
import { recorded } from '../rig/recorded.ts';
import { createRepository, git, typed } from '../rig/repository.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { statePath } from '../rig/team.ts';

const newItems = Array.from(
  { length: 12 },
  (_, n) => `  item-${n}: { name: Item ${n}, rollNumerator: ${n} }\n`,
).join('');

/** Ends the process that holds the lock of the state, as if the machine went down. */
function killTrove(checkout: string): void {
  const lock = readFileSync(join(checkout, `${statePath}.lock`), 'utf8');
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
    outcomes: { begin: 'skipped', run: 'success', keep: 'skipped' },
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

test('apply on merge commits the state, and a second one sends nothing', async () => {
  await using repository = await createRepository(smallCatalog);
  const waiting = await repository.checkout();
  const first = await applyFirst(repository);
  expect(first).toMatchObject({ failed: false, outputs: { 'exit-code': '0' } });
  expect(Object.keys(recorded(await stateOn(repository, 'main')).live)).toHaveLength(5);
  expect(await repository.git('show', '--format=', '--name-only', 'main')).toBe(statePath);
  expect(await repository.git('show', '--no-patch', '--format=%B', 'main')).toBe(
    'Record the state of staging [skip ci]\n\nhttps://git.example/game/catalog/actions/runs/17',
  );
  expect(await branches(repository)).toEqual(['refs/heads/main']);
  const commit = await repository.git('rev-parse', 'main');
  const sent = repository.team.gateway.count('POST', 'PUT');
  expect(await apply(repository)).toMatchObject({ failed: false, outcomes: { keep: 'success' } });
  expect(repository.team.gateway.count('POST', 'PUT')).toBe(sent);
  // Neither does one that had to wait, and started after the run before it.
  const second = await apply(repository, { checkout: waiting, inputs: { 'new-environment': 'true' } });
  expect(second).toMatchObject({ failed: false });
  expect(repository.team.gateway.count('POST', 'PUT')).toBe(sent);
  expect(await repository.git('rev-parse', 'main')).toBe(commit);
  expect(await branches(repository)).toEqual(['refs/heads/main']);
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
  expect(again).toMatchObject({ failed: true, outcomes: { run: 'failure', keep: 'success' } });
  expect(again.log).toContain('[stale-plan]');
  expect(again.summary).toContain('(Re-run all jobs, not only the failed one)');
  expect(again.summary).toContain('the state has changed since the plan was saved');
  expect(repository.team.gateway.count('PUT')).toBe(1);
  expect(await branches(repository)).toEqual(['refs/heads/main']);

  // Blocked ends with 3, or is a warning on request.
  await repository.merge('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
  expect(await apply(repository)).toMatchObject({ failed: true, outputs: { 'exit-code': '3' } });
  const warned = await apply(repository, { inputs: { blocked: 'warn' } });
  expect(warned).toMatchObject({ failed: false, outputs: { 'exit-code': '3' } });
  expect(warned.log).toContain('::warning title=trove apply (exit code 3)::');
});

test('several environments share one plan file and one commit of their states', async () => {
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
  const files = await repository.git('show', '--format=', '--name-only', 'main');
  expect(files.split('\n')).toEqual(['catalog/records/preview.json', statePath]);
  expect(await repository.git('show', '--no-patch', '--format=%s', 'main')).toBe(
    'Record the state of staging preview [skip ci]',
  );
});

test('two jobs at once create no record twice and lose no ID', async () => {
  await using repository = await createRepository(smallCatalog);
  // Only what begin-apply makes up distinguishes the two.
  const date = '2026-01-01T00:00:00Z';
  const env = { ...secrets(repository), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const job = { env, inputs: { 'new-environment': 'true' } };
  await Promise.all([apply(repository, job), apply(repository, job)]);
  expect(repository.team.service.ledger().map(({ createdTimes }) => createdTimes)).toEqual([1, 1, 1, 1, 1]);
  expect(Object.keys(recorded(await stateOn(repository, 'main')).live)).toHaveLength(5);
  expect(await branches(repository)).toEqual(['refs/heads/main']);
});

test('the state is committed on top of a push during the apply', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  const merged = new Promise<string>((done) => {
    gateway.decide = ({ method }) => {
      if (method === 'POST' && gateway.count('POST') === 3)
        done(repository.merge('catalog/game.yaml', 'name: Torch', 'name: Lantern'));
      return 'pass';
    };
  });
  const before = async (id: string) => {
    if (id === 'keep') await merged;
  };
  expect(await apply(repository, { before, inputs: { 'new-environment': 'true' } })).toMatchObject({
    failed: false,
  });
  const log = await repository.git('log', '--format=%s', 'main');
  expect(log.split('\n').sort()).toEqual([
    'Begin the catalog',
    'Edit catalog/game.yaml',
    'Record the state of staging [skip ci]',
  ]);
  expect(await repository.git('show', 'main:catalog/game.yaml')).toContain('Lantern');
  expect(Object.keys(recorded(await stateOn(repository, 'main')).live)).toHaveLength(5);
});

test('a refused push leaves the state in the branch of the run and stops other applies', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  const hook = join(repository.remote, 'hooks/update');
  await writeFile(hook, '#!/bin/sh\n[ "$1" != refs/heads/main ]\n', { mode: 0o755 });
  const refused = await applyFirst(repository);
  expect(refused).toMatchObject({
    failed: true,
    outcomes: { run: 'success', keep: 'failure' },
    used: ['actions/upload-artifact@v4'],
  });
  expect(refused.log).toContain('the push to main was refused');
  expect(refused.log).toContain('in the branch trove-apply/main/staging');
  expect(Object.keys(recorded(await stateOn(repository, mark)).live)).toHaveLength(5);

  const sent = gateway.exchanges.length;
  const next = await applyFirst(repository);
  expect(next).toMatchObject({
    failed: true,
    outcomes: { begin: 'failure', run: 'skipped', keep: 'success' },
  });
  expect(next.log).toContain('another apply has begun and has not kept its state');
  expect(gateway.exchanges).toHaveLength(sent);

  await rm(hook);
  await typed(repository, 'docs/ci.md', 'git fetch origin trove-apply/main/staging');
  expect(await apply(repository)).toMatchObject({ failed: false });
  expect(gateway.count('POST', 'PUT')).toBe(5);
});

test('a push whose response was lost is found on the branch', async () => {
  await using repository = await createRepository(smallCatalog);
  const checkout = await repository.checkout();
  const before = async (id: string) => {
    if (id !== 'keep') return;
    const other = await repository.checkout();
    await cp(join(checkout, statePath), join(other, statePath));
    await git(other, 'add', 'catalog/state');
    await git(other, 'commit', '--quiet', '-m', 'As the push that got there');
    await git(other, 'push', '--quiet', '--atomic', 'origin', 'HEAD:refs/heads/main', `:${mark}`);
  };
  const result = await apply(repository, { checkout, before, inputs: { 'new-environment': 'true' } });
  expect(result).toMatchObject({ failed: false, outcomes: { keep: 'success' } });
  expect(result.log).toContain('The state is on main already.');
  expect(await branches(repository)).toEqual(['refs/heads/main']);
});

test('a run whose mark was removed keeps its state beside the mark of the next one', async () => {
  await using repository = await createRepository(smallCatalog);
  const before = async (id: string) => {
    if (id === 'keep') await repository.git('update-ref', mark, 'main');
  };
  const result = await apply(repository, { before, inputs: { 'new-environment': 'true' } });
  expect(result).toMatchObject({ failed: true, outcomes: { run: 'success', keep: 'failure' } });
  expect(result.log).toContain('Somebody took the mark of this run away');
  expect(await repository.git('rev-parse', mark)).toBe(await repository.git('rev-parse', 'main'));
  const [, beside = ''] = await branches(repository).then((all) =>
    all.filter((name) => name.startsWith(mark)),
  );
  expect(Object.keys(recorded(await stateOn(repository, beside)).live)).toHaveLength(5);
});

test('a link among the state files commits nothing of the runner', async () => {
  await using repository = await createRepository(smallCatalog);
  const person = await repository.checkout();
  await mkdir(join(person, 'catalog/state'));
  await symlink('/proc/self/environ', join(person, 'catalog/state/other.json'));
  await git(person, 'add', 'catalog/state');
  await git(person, 'commit', '--quiet', '-m', 'Add a link');
  await git(person, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  expect(await applyFirst(repository)).toMatchObject({ failed: false });
  expect(await repository.git('show', 'main:catalog/state/other.json')).toBe('/proc/self/environ');
});

test('a state recorded on the branch during an apply and its own state both remain', async () => {
  await using repository = await createRepository(smallCatalog);
  await applyFirst(repository);
  await repository.merge('catalog/game.yaml', 'name: Torch', 'name: Lantern');
  const { gateway } = repository.team;
  const other = new Promise<string>((done) => {
    gateway.decide = ({ method }) => {
      if (method === 'PUT') done(repository.merge(statePath, '"serial": 1', '"serial": 7'));
      return 'pass';
    };
  });
  const before = async (id: string) => {
    if (id === 'keep') await other;
  };
  const result = await apply(repository, { before });
  expect(result).toMatchObject({ failed: true, outcomes: { keep: 'failure' } });
  expect(result.log).toContain('somebody else changed the same state there meanwhile');
  expect((await stateOn(repository, 'main')).serial).toBe(7);
  expect((await stateOn(repository, mark)).serial).toBe(2);
});

test("a checkout that can't follow the branch sends nothing and leaves no mark", async () => {
  await using repository = await createRepository(smallCatalog);
  const checkout = await repository.checkout();
  await repository.merge('catalog/game.yaml', 'name: Torch', 'name: Lantern');
  await writeFile(join(checkout, 'catalog/game.yaml'), '');
  expect(await apply(repository, { checkout })).toMatchObject({
    outcomes: { begin: 'failure', run: 'skipped' },
  });
  expect(repository.team.gateway.exchanges).toEqual([]);
  expect(await branches(repository)).toEqual(['refs/heads/main']);
});

test('a killed apply leaves its journal on the branch, and the next run replays it', async () => {
  await using repository = await createRepository(
    smallCatalog,
    'profile: { itemCreate.clientId: honoured }\n',
  );
  const { gateway } = repository.team;
  await applyFirst(repository);
  await repository.merge('catalog/game.yaml', '  torch:', `${newItems}  torch:`);
  const checkout = await repository.checkout();
  gateway.decide = ({ method }) => {
    if (method === 'POST' && gateway.count('POST') === 8) killTrove(checkout);
    return 'pass';
  };
  expect(await apply(repository, { checkout })).toMatchObject({
    outputs: { 'exit-code': '137' },
    outcomes: { run: 'failure', keep: 'success' },
  });
  expect(await filesOn(repository)).toEqual([statePath, `${statePath}.journal`]);
  gateway.decide = () => 'pass';
  const next = await apply(repository);
  expect(next).toMatchObject({ failed: false });
  expect(next.log).toContain('journal entries from an interrupted run');
  expect(await filesOn(repository)).toEqual([statePath]);
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
    outcomes: { keep: 'success' },
  });
  gateway.decide = () => 'pass';
  expect(await apply(repository)).toMatchObject({ failed: false });
  expect(repository.team.service.ledger().map(({ createdTimes }) => createdTimes)).toEqual([1, 1, 1, 1, 1]);
});

test('a partial failure is committed with its exit code, and unknown creates are not repeated', async () => {
  await using repository = await createRepository(smallCatalog);
  const { gateway } = repository.team;
  const onMain = async () => recorded(await stateOn(repository, 'main'));
  const ended = (code: string) => ({ failed: true, outputs: { 'exit-code': code } });

  gateway.decide = ({ body }) => (body.name === 'Oak Bow' ? { status: 400, body: '{}' } : 'pass');
  const outcomes = { run: 'failure', keep: 'success' };
  expect(await applyFirst(repository)).toMatchObject({ ...ended('1'), outcomes });
  expect(Object.keys((await onMain()).live)).toHaveLength(4);

  gateway.decide = ({ body }) => (body.name === 'Era' ? 'cut-after' : 'pass');
  const era = '  era: { name: Era, options: { old: { name: Old, dropRateMultiplier: 1 } } }\n';
  await repository.merge('catalog/game.yaml', 'classifiers:\n', `classifiers:\n${era}`);
  const unknown = await apply(repository);
  expect(unknown).toMatchObject(ended('4'));
  expect(unknown.log).toContain('settle it with trove resolve');
  expect((await onMain()).pending).toHaveLength(1);
  expect(await apply(repository)).toMatchObject(ended('4'));
  const times = repository.team.service.ledger().map(({ createdTimes }) => createdTimes);
  expect(times).toEqual(Array.from({ length: 6 }, () => 1));
});
