import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coveringDialects } from '../rig/dialects.ts';
import { isRefereed } from '../rig/gateway.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath, type Team } from '../rig/team.ts';

const loseState = (team: Team) => rm(join(team.project.folder, statePath));

/** `address: id` of what the service has, as somebody reads it off the tools of the game. */
function idsOf(team: Team, kinds: readonly string[]): string {
  const keys: Readonly<Record<string, string>> = {
    Rarity: 'rarity',
    Slot: 'slot',
    'Iron Sword': 'iron-sword',
    'Oak Bow': 'oak-bow',
    Torch: 'torch',
  };
  return team.service
    .ledger()
    .filter(({ kind, name }) => kinds.includes(kind) && keys[name] !== undefined)
    .map(({ kind, name, id }) => `${kind}.${keys[name]}: "${id}"\n`)
    .join('');
}

// A probe asks on purpose what is not documented.
describe.skipIf(isRefereed).each(coveringDialects.map((dialect, nth) => [nth, dialect] as const))(
  'dialect %s',
  (_, dialect) => {
    test('a lost state comes back: probed, applied, lost, imported, recovered, and nothing is doubled', async () => {
      await using team = await createTeam(smallCatalog, '', dialect);
      expect(await team.run('probe --yes --new-environment')).toMatchObject({ code: 0 });
      expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
      const { live } = await team.recorded();
      const before = team.service.ledger();
      await loseState(team);

      const canFind = dialect['itemCreate.clientId'] === 'honoured';
      const ids = idsOf(team, canFind ? ['classifier'] : ['classifier', 'item']);
      // Where asking may create, one id of before has to show that others are derived as they were.
      const mayCreate = canFind && dialect['update.unknownId'] === 'created';
      const shown = mayCreate ? (idsOf(team, ['item']).match(/^item\.torch.*\n/m)?.[0] ?? '') : '';
      await team.project.write('ids.yaml', ids + shown);
      const imported = await team.run('import --file ids.yaml --yes --new-environment');
      expect(imported, imported.stderr).toMatchObject({ code: 0 });
      const recovered = await team.run('apply --yes --recover');
      expect(recovered, recovered.stdout + recovered.stderr).toMatchObject({ code: 0 });

      const after = await team.project.state(statePath);
      const idsByAddress = (of: typeof live) =>
        Object.fromEntries(Object.entries(of).map(([address, { id }]) => [address, id]));
      expect(idsByAddress(recorded(after).live)).toEqual(idsByAddress(live));
      expect(team.service.ledger().map(({ id, createdTimes }) => [id, createdTimes])).toEqual(
        before.map(({ id, createdTimes }) => [id, createdTimes]),
      );
      const sent = team.gateway.count('POST', 'PUT');
      expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
      expect(team.gateway.count('POST', 'PUT')).toBe(sent);
    });
  },
);

describe('a state of another catalog', () => {
  const many = (prefix: string) => ({
    'catalog/game.yaml': `items:\n${Array.from({ length: 12 }, (_, n) => `  ${prefix}-${n}: { name: ${prefix} ${n}, rollNumerator: 1 }\n`).join('')}`,
  });

  test('is refused by plan and apply before anything is sent, unless a person says that all of it is new', async () => {
    await using team = await appliedTeam(many('old'));
    await team.project.write('catalog/game.yaml', many('new')['catalog/game.yaml']);
    for (const command of ['plan', 'apply --yes']) {
      const refused = await team.run(command);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[strange-state]') });
    }
    expect(team.gateway.count('POST', 'PUT')).toBe(12);
    expect(await team.run('apply --yes --confirm-new')).toMatchObject({ code: 0 });
    expect(team.gateway.count('POST')).toBe(24);
  });
});
