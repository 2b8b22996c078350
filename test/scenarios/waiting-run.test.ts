import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { currentOwner } from '../../src/state/lock-owner.ts';
import type { Fate } from '../rig/gateway.ts';
import { unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, isCreateOf, statePath, type Team } from '../rig/team.ts';
import { hasTerminal, onTerminal } from '../rig/terminal.ts';

describe.skipIf(!hasTerminal)(
  'a run that waits at its question (needs script of util-linux) sends nothing',
  () => {
    /** An apply that waits at its question while `meanwhile` happens, and then gets yes: it ends with this rule. */
    async function applyAsking(team: Team, flags: string, rule: string, meanwhile: () => Promise<unknown>) {
      let sent = -1;
      const { code, screen } = await onTerminal(
        { folder: team.project.folder, env: team.env },
        `apply ${flags}`,
        [
          'is accepted: ',
          async () => {
            await meanwhile();
            sent = team.gateway.exchanges.length;
            return 'yes\n';
          },
        ],
      );
      expect([code, screen]).toEqual([1, expect.stringContaining(rule)]);
      expect(team.gateway.exchanges).toHaveLength(sent);
    }

    test('after its lock was removed and another run applied', async () => {
      await using team = await createTeam(smallCatalog);
      await applyAsking(team, '--new-environment', '[state-lock-lost]', async () => {
        const meanwhile = await team.run('plan');
        expect(meanwhile.stderr).toContain('The state of staging is locked, so this plan may be outdated: ');
        expect(await team.run('state unlock --force --yes')).toMatchObject({ code: 0 });
        expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
      });
      expect(team.gateway.count('POST')).toBe(5);
      expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    });

    test.each([
      ['a switch to another branch', (text: string) => text.replace('"item.torch"', '"item.lamp"')],
      ['a save by another run', (text: string) => text.replace('"serial": 1', '"serial": 2')],
    ])('after %s, and keeps that state', async (_, change) => {
      await using team = await appliedTeam();
      await team.project.edit('catalog/game.yaml', 'rollNumerator: 100', 'rollNumerator: 101');
      const other = change(await team.project.read(statePath));
      await applyAsking(team, '', '[state-changed]', () => team.project.write(statePath, other));
      expect(await team.project.read(statePath)).toBe(other);
    });
  },
);

test.each([
  ['another record', '"item.torch"', '"item.lamp"'],
  ['another option', /("common": ")[^"]+/, '$1of-another-branch'],
])('apply keeps a state with %s that appears during the run, and loses no ID', async (_, ours, theirs) => {
  await using team = await appliedTeam();
  const before = await team.project.read(statePath);
  const branch = before.replace(ours, theirs);
  expect(branch).not.toBe(before);
  await team.project.edit('catalog/game.yaml', 'items:', 'items:\n  axe: { name: Axe, rollNumerator: 1 }');
  team.gateway.decide = async ({ body }): Promise<Fate> => {
    if (body.name === 'Axe') await team.project.write(statePath, branch);
    return 'pass';
  };
  const result = await team.run('apply --yes');
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('[state-changed]') });
  expect(await team.project.read(statePath)).toBe(branch);
  const id = String(team.gateway.exchanges.find(isCreateOf('Axe'))?.answer?.id);
  // The journal fits neither the branch nor a later version, and the error lists its contents.
  const again = await team.run('apply --yes');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('[journal-mismatch]') });
  expect(again.stderr.replace(/\s+/g, '')).toContain(`item.axe"${id}"`);
  await team.project.write(statePath, before);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect((await team.recorded()).live['item.axe']?.id).toBe(id);
});

test('apply prints every recorded ID if the state and journal disappear during the run', async () => {
  await using team = await createTeam(smallCatalog);
  team.gateway.decide = async (_, index): Promise<Fate> => {
    if (index === 2) await rm(join(team.project.folder, 'catalog/state'), { recursive: true });
    return 'pass';
  };
  const { code, stdout, stderr } = await team.run('apply --yes --new-environment --parallel 1');
  expect([code, stderr]).toEqual([1, expect.not.stringContaining('is kept')]);
  const made = team.service.ledger();
  expect(made).toHaveLength(3);
  for (const { id } of made) expect(stdout).toContain(`id ${id}`);
  expect(stdout).toMatch(/3\s+unrecorded, 2\s+not\s+started/);
  team.gateway.decide = () => 'pass';
  const [command = ''] = unwrapped(stdout).match(/(?<=trove )import -e staging classifier\.rarity \S+/) ?? [];
  expect(await team.run(`${command} --new-environment`)).toMatchObject({ code: 0 });
});

test('a create that waits for a retry is not sent after another run settled it', async () => {
  await using team = await createTeam(smallCatalog);
  let isFirst = true;
  team.gateway.decide = async ({ body }): Promise<Fate> => {
    if (body.name !== 'Slot' || !isFirst) return 'pass';
    isFirst = false;
    expect(await team.run('state unlock --force --yes')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
    expect(await team.run('resolve classifier.slot --not-created')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    return { status: 429, body: '', headers: { 'retry-after': '1' } };
  };
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 1 });
  expect(team.service.ledger().map(({ createdTimes }) => createdTimes)).toEqual([1, 1, 1, 1, 1]);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

describe('state unlock', () => {
  test('--force removes nothing without a terminal if the run is alive on this machine', async () => {
    await using team = await createTeam(smallCatalog);
    const answers: unknown[] = [];
    team.gateway.decide = async (_exchange, index): Promise<Fate> => {
      if (index === 1)
        for (const command of ['state unlock', 'state unlock --force', 'apply --yes'])
          answers.push(await team.run(command));
      return 'pass';
    };
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
    expect(answers).toMatchObject([
      { code: 5, stderr: expect.stringContaining('still running') },
      { code: 5, stderr: expect.stringMatching(/still running on this\s+machine/) },
      { code: 5 },
    ]);
  });

  test('--force removes the locks of a run that died, perhaps on another machine', async () => {
    await using team = await createTeam(smallCatalog);
    const since = '2026-03-01T12:00:00.000Z';
    const owner = await currentOwner({ id: 'l1', operation: 'apply', since, version: '1.2.3' });
    const leave = async (holder: object) => {
      for (const file of ['lock', 'lock.l1'])
        await team.project.write(`${statePath}.${file}`, JSON.stringify(holder));
    };
    await leave(owner);
    expect(await team.run('state unlock --force --yes')).toMatchObject({ code: 5 });
    await leave({ ...owner, process: { ...owner.process, bootId: 'of another boot' } });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 5 });
    expect(await team.run('state unlock')).toMatchObject({ code: 5 });
    expect(await team.run('state unlock --force')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
  });
});
