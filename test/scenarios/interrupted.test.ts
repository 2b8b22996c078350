import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Fate } from '../rig/gateway.ts';
import { cli, finished, said } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath, type Team } from '../rig/team.ts';
import { hasTerminal, onTerminal } from '../rig/terminal.ts';

const items = Array.from(
  { length: 40 },
  (_, n) => `  item-${n}: { name: Item ${n}, rollNumerator: ${n}, classifiers: { rarity: rare } }\n`,
);
const manyItems = { 'catalog/game.yaml': smallCatalog['catalog/game.yaml'] + items.join('') };
const total = 2 + 3 + items.length;

/** How often the service carried out a create of each name. */
function createdTimes(team: Team): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { method, status, body } of team.gateway.exchanges) {
    const name = String(body.name);
    if (method === 'POST' && status === 200) times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}

test('a run killed at any request creates every record once, after unknown creates are resolved', async () => {
  for (const killAt of [0, 1, 2, 3, 5, 11, 23, 37]) {
    await using team = await createTeam(manyItems, 'profile: { itemCreate.clientId: honoured }\n');
    await team.endedAt(killAt, 'apply --yes --new-environment');
    await quiet(team);
    const { length: sentBefore } = team.gateway.exchanges;
    for (const { address } of await pendingClassifiers(team)) {
      const key = address.slice('classifier.'.length);
      const create = team.gateway.exchanges
        .slice(0, sentBefore)
        .find(({ body }) => String(body.name).toLowerCase() === key);
      const word = create?.answer ? `--id ${create.answer.id}` : '--not-created';
      expect(await team.run(`resolve ${address} ${word}`)).toMatchObject({ code: 0 });
    }
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
    const { live, pending } = await team.recorded();
    expect([Object.keys(live).length, pending]).toEqual([total, []]);
    const times = createdTimes(team);
    expect([times.size, [...times].filter(([, count]) => count !== 1)]).toEqual([total, []]);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  }
});

test('apply sends nothing after it acknowledges Ctrl-C, and the next run finishes', async () => {
  await using team = await createTeam(manyItems, 'profile: { itemCreate.clientId: honoured }\n');
  // One at a time: all others wait for their turn, and nothing is on its way when the signal comes.
  const child = team.project.start('apply --yes --new-environment --parallel 1', { env: team.env });
  const told = said(child, 'Press Ctrl-C again');
  team.gateway.decide = async (_exchange, index): Promise<Fate> => {
    if (index < 5) return 'pass';
    if (index === 5) child.kill('SIGINT');
    await told;
    return 'pass';
  };
  const { code, stdout } = await finished(child);
  expect(code).toBe(130);
  expect(team.gateway.exchanges).toHaveLength(6);
  const { live, pending } = await team.recorded();
  expect([Object.keys(live).length, pending]).toEqual([6, []]);
  expect(stdout).toContain(`${total - 6} not started`);
  team.gateway.decide = () => 'pass';
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect([...createdTimes(team).values()].every((count) => count === 1)).toBe(true);
});

/** What a run prints that gets Ctrl-C as its request of this number arrives, and again once that is acknowledged. */
async function stoppedTwice({ project, gateway, env }: Team, args: string, number = 0): Promise<string> {
  const before = gateway.exchanges.length;
  const child = project.start(args, { env });
  const told = said(child, 'Press Ctrl-C again');
  gateway.decide = async (_exchange, index): Promise<Fate> => {
    if (index - before < number) return 'pass';
    if (index - before === number) child.kill('SIGINT');
    await told;
    child.kill('SIGINT');
    await finished(child);
    return 'pass';
  };
  const { code, stderr } = await finished(child);
  expect(code).toBe(130);
  return stderr;
}

test('a second Ctrl-C prints the unknown outcomes and the next command', async () => {
  await using team = await createTeam(manyItems, 'profile: { itemCreate.clientId: honoured }\n');
  const stderr = await stoppedTwice(team, 'apply --yes --new-environment --parallel 2', 5);
  expect(stderr).toMatch(/Stopped\. [12] outcomes? (is|are) unknown: item\./);
  expect(stderr).toContain('trove apply -e staging');
  await quiet(team);
  team.gateway.decide = () => 'pass';
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect([...createdTimes(team).values()].every((count) => count === 1)).toBe(true);
});

test('a second Ctrl-C in a recovery prints the update that was not answered', async () => {
  const found = 'profile: { itemCreate.clientId: honoured, update.unknownId: rejected }\n';
  await using team = await appliedTeam(smallCatalog, found);
  for (const path of [statePath, 'catalog/.trove'])
    await rm(join(team.project.folder, path), { recursive: true });
  const stderr = await stoppedTwice(team, 'apply --yes --recover --parallel 1');
  expect(stderr).toMatch(/Stopped\. 1 outcome is unknown: item\.[a-z-]+\./);
  expect(stderr).toContain('run it again: trove apply -e staging\n');
  await quiet(team);
});

describe('a signal during a run', () => {
  const left = async ({ project }: Team): Promise<readonly string[]> =>
    (await readdir(join(project.folder, 'catalog'))).includes('state')
      ? readdir(join(project.folder, 'catalog/state'))
      : [];

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends it at its first read, and releases the lock (%s)',
    async (signal) => {
      await using team = await createTeam(smallCatalog, 'userId: user_1\n');
      const child = team.project.start('apply --yes --new-environment', { env: team.env });
      const told = said(child, 'Press Ctrl-C again');
      team.gateway.decide = async (): Promise<Fate> => {
        child.kill(signal);
        await told;
        return 'pass';
      };
      expect(await finished(child)).toMatchObject({ code: 130 });
      expect(team.gateway.exchanges.map(({ method }) => method)).toEqual(['GET']);
      expect(await left(team)).toEqual([]);
    },
  );

  test('lets resolve record its response, and releases the lock', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Slot', 'cut-after');
    await team.run('apply --yes --new-environment');
    const id = team.gateway.exchanges.find(({ body }) => body.name === 'Slot')?.answer?.id;
    const child = team.project.start(`resolve classifier.slot --id ${id}`, { env: team.env });
    const told = said(child, 'Press Ctrl-C again');
    team.gateway.decide = async (): Promise<Fate> => {
      child.kill('SIGINT');
      await told;
      return 'pass';
    };
    expect(await finished(child)).toMatchObject({ code: 0 });
    expect((await team.recorded()).live).toHaveProperty(['classifier.slot', 'id'], id);
    expect(await left(team)).toEqual(['staging.json']);
  });

  test('ends its wait for a password, and releases the lock', async () => {
    await using team = await createTeam(smallCatalog);
    const command = ['-e', 'staging', '--yes', '--new-environment', '--password-stdin'];
    const child = spawn(process.execPath, [cli, 'apply', ...command], {
      cwd: team.project.folder,
      env: { ...process.env, ...team.env },
    });
    while (!(await left(team)).includes('staging.json.lock')) await setTimeout(5);
    await setTimeout(300);
    child.kill('SIGTERM');
    expect(await finished(child)).toMatchObject({ code: 130 });
    expect([team.gateway.exchanges.length, await left(team)]).toEqual([0, []]);
  });

  test.skipIf(!hasTerminal)('at a question means no, and releases the lock', async () => {
    await using team = await createTeam(smallCatalog);
    const lock = join(team.project.folder, `${statePath}.lock`);
    const { code, screen } = await onTerminal(
      { folder: team.project.folder, env: team.env },
      'apply --new-environment',
      [
        'is accepted: ',
        async () => {
          process.kill(JSON.parse(readFileSync(lock, 'utf8')).process.pid, 'SIGTERM');
          return '';
        },
      ],
    );
    expect([code, screen.includes('Nothing was sent.'), await left(team)]).toEqual([130, true, []]);
  });
});

/** Until the service has answered all that had reached it when the client died. */
async function quiet({ gateway }: Team): Promise<void> {
  while (gateway.exchanges.some(({ status }) => status === undefined)) await setTimeout(5);
}

async function pendingClassifiers(team: Team): Promise<readonly { address: string }[]> {
  const { stdout } = await team.run('plan --format json');
  const { changes } = JSON.parse(stdout) as {
    changes: { address: string; action: string; kind: string; requests: unknown[]; reason?: string }[];
  };
  return changes.filter(({ action, kind }) => action === 'unknown' && kind === 'classifier');
}

test.each([
  [
    '--reassert',
    3,
    /apply -e staging --reassert item\.iron-sword\s+--reassert item\.oak-bow --reassert item\.torch$/m,
  ],
  ['--reassert', 45, /apply -e staging --reassert$/m],
  ['--replace item.torch --reassert item.iron-sword', 3, /apply -e staging --replace item\.torch$/m],
])(
  'an interrupted apply %s prints the command that continues, with %i records',
  async (flags, count, next) => {
    const profile =
      'profile: { itemCreate.clientId: honoured, itemUpdate.classifierOptionIds: by-classifier }\n';
    await using team = await appliedTeam(count === 3 ? smallCatalog : manyItems, profile);
    const { length: before } = team.gateway.exchanges;
    const child = team.project.start(`apply --yes --parallel 1 ${flags}`, { env: team.env });
    const told = said(child, 'Press Ctrl-C again');
    const stopAt = flags.includes('replace') ? 0 : 1;
    team.gateway.decide = async (_exchange, index): Promise<Fate> => {
      if (index - before !== stopAt) return 'pass';
      child.kill('SIGINT');
      await told;
      return 'pass';
    };
    const { code, stdout } = await finished(child);
    expect(code).toBe(130);
    expect(stdout).toMatch(next);
    expect((await team.run('plan')).stdout).toContain('No changes');
  },
  60_000,
);
