import { describe, expect, test } from 'vitest';
import type { Fate } from '../rig/gateway.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, isCreateOf, type Team } from '../rig/team.ts';

/** Every create that the service carried out, by the name that was sent. */
function created(team: Team): readonly string[] {
  return team.gateway.exchanges
    .filter(({ method, status }) => method === 'POST' && status === 200)
    .map(({ body }) => String(body.name))
    .sort();
}

const everything = ['Iron Sword', 'Oak Bow', 'Rarity', 'Slot', 'Torch'];

describe('the answer to a classifier create is lost', () => {
  async function lost(fate: Fate): Promise<Team> {
    const team = await createTeam(smallCatalog);
    team.onCreate('Slot', fate);
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    team.gateway.decide = () => 'pass';
    return team;
  }

  test('it had happened: it is not sent again, only what needs it waits, and resolve --id confirms it', async () => {
    await using team = await lost('cut-after');
    expect(created(team)).toEqual(['Oak Bow', 'Rarity', 'Slot', 'Torch']);
    const sent = team.gateway.exchanges.length;
    const again = await team.run('apply --yes');
    expect(again.code).toBe(4);
    expect(again.stdout).toContain('trove resolve classifier.slot -e staging --id ID');
    expect(again.stdout).toContain('waits for classifier.slot');
    expect(await team.run('resolve')).toMatchObject({ code: 4 });
    const nobody = { code: 1, stdout: '', stderr: expect.stringContaining('trove resolve -e staging') };
    expect(await team.run('resolve --not-created')).toMatchObject(nobody);
    expect(team.gateway.exchanges).toHaveLength(sent);

    const wrong = await team.run('resolve classifier.slot --id made-up');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('404 Not Found') });
    expect((await team.recorded()).pending).toHaveLength(1);
    const id = team.gateway.exchanges.find(isCreateOf('Slot'))?.answer?.id;
    expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('it had not happened: resolve --not-created sends it once more', async () => {
    await using team = await lost('cut-before');
    expect(await team.run('resolve classifier.slot --not-created')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
  });
});

describe('the answer to an item create is lost', () => {
  test.each(['cut-before', 'cut-after'] as const)(
    '%s: once ids are known to be honoured it settles itself',
    async (fate) => {
      await using team = await createTeam(smallCatalog);
      let cut = 0;
      team.gateway.decide = (exchange) => (isCreateOf('Torch')(exchange) && cut++ === 0 ? fate : 'pass');
      expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
      expect(created(team)).toEqual(everything);
      expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    },
  );

  test('the next run ends before it comes to it: it is as unknown as before', async () => {
    await using team = await createTeam(smallCatalog);
    const refused = { status: 401, body: '' };
    const [lost, next] = [isCreateOf('Torch'), isCreateOf('Oak Bow')];
    team.gateway.decide = (each) => (lost(each) ? 'unclear-after' : next(each) ? refused : 'pass');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    team.gateway.decide = () => refused;
    const again = await team.run('apply --yes --format json');
    expect(again.code).toBe(4);
    const results = JSON.parse(again.stdout).results.map(
      ({ address, result }: Record<string, string>) => `${address} ${result}`,
    );
    expect(results).toContain('item.torch unknown');
    expect((await team.recorded()).pending).toHaveLength(1);
  });

  test('the very first one, with nothing known: unknown, and sent once until more is known', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Iron Sword', 'cut-before');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    team.gateway.decide = () => 'pass';
    expect(team.gateway.exchanges.filter(isCreateOf('Iron Sword'))).toHaveLength(1);
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
  });
});

test('what the service makes of a value is not sent again until the catalog changes', async () => {
  await using team = await createTeam(smallCatalog);
  team.gateway.decide = ({ path }) =>
    path.startsWith('/items')
      ? { rewrite: (answer) => ({ ...answer, rollNumerator: Math.round(Number(answer.rollNumerator)) }) }
      : 'pass';
  const first = await team.run('apply --yes --new-environment');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('1 diverged') });
  const sent = team.gateway.exchanges.length;
  const again = await team.run('apply --yes');
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('13 -> 12.5') });
  expect(team.gateway.exchanges).toHaveLength(sent);
  await team.project.edit('catalog/game.yaml', '12.5', '20');
  expect(await team.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 updated'),
  });
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('an unreadable answer to a create is unknown, not a success', async () => {
  await using team = await createTeam(smallCatalog);
  team.onCreate('Rarity', { rewrite: () => ({ ok: true }) });
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  expect((await team.recorded()).pending).toMatchObject([{ address: 'classifier.rarity' }]);
});

test('429 slows down and loses nothing', async () => {
  await using team = await createTeam(smallCatalog);
  team.gateway.decide = (_exchange, index) =>
    index % 2 === 0 ? { status: 429, body: '{}', headers: { 'retry-after': '0' } } : 'pass';
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
  expect(created(team)).toEqual(everything);
});
