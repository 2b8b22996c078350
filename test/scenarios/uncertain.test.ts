import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fate, unclear } from '../rig/gateway.ts';
import { expectRefused, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, isCreateOf, statePath, type Team } from '../rig/team.ts';

const profile =
  'profile: { itemUpdate.classifierOptionIds: by-classifier, itemUpdate.assignments: replace }\n';

/** Every create that the service carried out, by the name that was sent. */
function created(team: Team): readonly string[] {
  return team.gateway.exchanges
    .filter(({ method, status }) => method === 'POST' && status === 200)
    .map(({ body }) => String(body.name))
    .sort();
}

const everything = ['Iron Sword', 'Oak Bow', 'Rarity', 'Slot', 'Torch'];

/** The create of a classifier whose response is lost, and the ID that the service gave it. */
async function lost(team: Team, args: string, fate: Fate = 'cut-after'): Promise<string> {
  const before = team.gateway.exchanges.length;
  team.onCreate('Slot', fate);
  expect(await team.run(args)).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  const create = team.gateway.exchanges.slice(before).find(({ body }) => body.name === 'Slot');
  return String(create?.answer?.id);
}

describe('a classifier create without a response', () => {
  test('that was carried out is not repeated, and resolve --id confirms it', async () => {
    await using team = await createTeam(smallCatalog);
    const id = await lost(team, 'apply --yes --new-environment');
    expect(created(team)).toEqual(['Oak Bow', 'Rarity', 'Slot', 'Torch']);
    const sent = team.gateway.exchanges.length;
    const again = await team.run('apply --yes');
    expect(again.code).toBe(4);
    expect(again.stdout).toContain('trove resolve classifier.slot -e staging --id ID');
    expect(again.stdout).toContain('depends on classifier.slot');
    expect(await team.run('resolve')).toMatchObject({ code: 4 });
    expectRefused(await team.run('resolve --not-created'), 'trove resolve -e staging');
    expect(team.gateway.exchanges).toHaveLength(sent);

    expectRefused(
      await team.run('resolve classifier.slot --id made-up'),
      'Update Classifier (PUT /classifiers/made-up) was refused: 404 Not Found',
      'the create is still pending; the service may have no classifier with ID made-up: check that the ID',
      'if the service has no record of classifier.slot under any ID: trove resolve classifier.slot -e staging --not-created',
    );
    expectRefused(await team.run('resolve classifier.slot --id ..'));
    expectRefused(await team.run('resolve classifier.slot --id ID'), "replace ID with the record's ID");
    expect((await team.recorded()).pending).toHaveLength(1);
    expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('that was not carried out is sent again after resolve --not-created', async () => {
    await using team = await createTeam(smallCatalog);
    await lost(team, 'apply --yes --new-environment', 'cut-before');
    expect(await team.run('resolve classifier.slot --not-created')).toMatchObject({ code: 0 });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
  });
});

describe('several creates without responses', () => {
  /** Two items that were not created, at a service that does not take their IDs. */
  async function lostItems(): Promise<Team> {
    const team = await createTeam(smallCatalog, 'profile: { itemCreate.clientId: ignored }\n');
    const lost = [isCreateOf('Torch'), isCreateOf('Oak Bow')];
    team.gateway.decide = (each) => (lost.some((isLost) => isLost(each)) ? 'cut-before' : 'pass');
    const applied = await team.run('apply --yes --new-environment');
    expect(applied.code).toBe(4);
    expect(applied.stdout).toContain('trove resolve -e staging --all --not-created');
    team.gateway.decide = () => 'pass';
    return team;
  }
  const both = 'item.oak-bow item.torch';

  test('are settled by resolve --not-created for all named addresses or none', async () => {
    await using team = await lostItems();
    expect((await team.run('resolve')).stdout).toContain('trove resolve -e staging --all --not-created');
    expectRefused(
      await team.run(`resolve ${both} --id i-1`),
      `trove resolve ${both} -e staging --not-created`,
    );
    expectRefused(await team.run(`resolve ${both} item.iron-sword --not-created`), 'item.iron-sword');
    expect((await team.recorded()).pending).toHaveLength(2);
    const settled = await team.run(`resolve ${both} item.torch --not-created`);
    expect(settled).toMatchObject({ code: 0, stderr: '' });
    expect(settled.stdout.match(/no longer pending/g)).toHaveLength(2);
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
  });

  test('are all settled by resolve --all --not-created after a confirmation', async () => {
    await using team = await lostItems();
    expectRefused(await team.run('resolve --all'), '--all --not-created');
    expectRefused(await team.run('resolve item.torch --all --not-created'), '--all --not-created');
    const asked = await team.run('resolve --all --not-created');
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('? item.torch') });
    expect(asked.stderr).toContain('trove resolve -e staging --all --not-created --yes');
    expect((await team.recorded()).pending).toHaveLength(2);
    expect(await team.run('resolve --all --not-created --yes')).toMatchObject({ code: 0, stderr: '' });
    expect((await team.recorded()).pending).toHaveLength(0);
    const nothing = await team.run('resolve --all --not-created --yes');
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is pending') });
  });
});

test('resolve --all --not-created settles only creates whose responses name no record', async () => {
  const more = 'items: { map: { name: Map, rollNumerator: 1 }, rope: { name: Rope, rollNumerator: 1 } }\n';
  const files = { ...smallCatalog, 'catalog/more.yaml': more };
  await using team = await createTeam(files, 'profile: { itemCreate.clientId: ignored }\n');
  const command = 'trove resolve -e staging --all --not-created';
  team.gateway.decide = ({ method, body }) => {
    if (method !== 'POST') return 'pass';
    const isNamed = body.name === 'Rarity' || body.name === 'Slot';
    return isNamed ? { status: 201, body: `{"id":"real-${body.name}","na` } : 'cut-before';
  };
  const applied = await team.run(
    'apply --yes --new-environment --target classifier.rarity --target classifier.slot',
  );
  expect(applied).toMatchObject({ code: 4, stdout: expect.not.stringContaining(command) });
  expect((await team.run('resolve')).stdout).not.toContain(command);
  expect(
    (await team.run('apply --yes --target classifier.rarity --target classifier.slot')).stdout,
  ).not.toContain(command);
  const left = await team.run('resolve --all --not-created --yes');
  expect(left).toMatchObject({ code: 4, stdout: expect.stringContaining('"real-Rarity"') });
  expect(left.stdout).toContain('trove resolve classifier.slot -e staging --not-created');
  expect((await team.recorded()).pending).toHaveLength(2);

  const cut = await team.run('apply --yes');
  const offer = `If the service has none of those whose responses name no record: ${command}`;
  expect(unwrapped(cut.stdout)).toContain(offer);
  expect(unwrapped((await team.run('resolve')).stdout)).toContain(offer);
  expect((await team.run('resolve --all --not-created')).stderr).toContain(`${command} --yes`);
  const settled = await team.run('resolve --all --not-created --yes');
  expect(settled).toMatchObject({ code: 4, stderr: '' });
  expect((await team.recorded()).pending.map(({ address }) => address).sort()).toEqual([
    'classifier.rarity',
    'classifier.slot',
  ]);
});

describe('an item create without a response', () => {
  test('is repeated by apply only if the profile allows it', async () => {
    await using team = await createTeam({
      'catalog/game.yaml': 'items: { torch: { name: Torch, rollNumerator: 1 } }\n',
    });
    team.onCreate('Torch', 'cut-after');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    team.gateway.decide = () => 'pass';
    // The next apply would leave it as it is.
    for (const command of ['resolve', 'state show item.torch']) {
      const { stdout } = await team.run(command);
      expect(stdout).toMatch(/next +trove resolve item\.torch -e staging --id ID$/m);
      expect(stdout).not.toContain('trove apply');
    }
    expectRefused(await team.run('apply --replace item.torch'), 'trove plan -e staging');
    expect((await team.run('plan')).stdout).toContain('trove resolve item.torch -e staging --id ID');
    expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
    expect(team.gateway.exchanges).toHaveLength(1);
    const environment = 'catalog/environments/staging.yaml';
    await team.project.edit(environment, 'teamId', 'profile: { itemCreate.clientId: honoured }\nteamId');
    const way = 'next      to send the same ID again: trove apply -e staging';
    expect((await team.run('resolve')).stdout).toContain(way);
    expect((await team.run('state show item.torch')).stdout).toContain(way);
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(['Torch']);
  });

  test('is still unknown if the next run ends before it', async () => {
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
    expect(JSON.parse(again.stdout).results).toContainEqual(
      expect.objectContaining({ address: 'item.torch', settles: true }),
    );
    expect((await team.recorded()).pending).toHaveLength(1);
  });

  test.each(['cut-before', 'cut-after'] as const)(
    '(%s) is settled once IDs prove to be honored',
    async (fate) => {
      await using team = await createTeam(smallCatalog);
      let cut = 0;
      team.gateway.decide = (exchange) => (isCreateOf('Torch')(exchange) && cut++ === 0 ? fate : 'pass');
      expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
      expect(created(team)).toEqual(everything);
      expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    },
  );
});

test('a value that the service changes is not sent again until the catalog changes', async () => {
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

test('an update without a response is still unknown if the next run ends before it', async () => {
  await using team = await appliedTeam(smallCatalog);
  await team.project.edit('catalog/game.yaml', 'name: Torch', 'name: Lamp');
  team.gateway.decide = () => 'cut-after';
  expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
  await team.project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Bow');
  team.gateway.decide = () => ({ status: 401, body: '' });
  expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
});

test('an imported record whose confirming update got no response is listed as unconfirmed', async () => {
  await using team = await appliedTeam(smallCatalog);
  const id = (await team.recorded()).live['item.torch']?.id;
  await team.run('state forget item.torch --yes');
  await team.run(`import item.torch ${id}`);
  expect((await team.run('state list')).stdout).toMatch(/item\.torch +imported +/);
  team.gateway.decide = () => 'cut-after';
  expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
  expect((await team.run('state list')).stdout).toMatch(/item\.torch +imported, unconfirmed +/);
});

test('an unreadable response to a create is unknown, and its ID is kept', async () => {
  await using team = await createTeam(smallCatalog);
  team.onCreate('Rarity', { rewrite: (answer) => ({ ...answer, updatedAt: 7 }) });
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  expect((await team.recorded()).pending).toMatchObject([{ address: 'classifier.rarity' }]);
  const id = String(team.gateway.exchanges.find(isCreateOf('Rarity'))?.answer?.id);
  expect((await team.run('resolve')).stdout.replace(/\s+/g, ' ')).toContain(id);
});

test('resolve accepts the new record of an interrupted replacement, and refuses the old one', async () => {
  await using team = await appliedTeam(smallCatalog, profile);
  const { 'classifier.slot': old } = (await team.recorded()).live;
  const id = await lost(team, 'apply --yes --replace classifier.slot');
  expectRefused(await team.run(`resolve classifier.slot --id ${old?.id}`), 'had before');
  // A wrong ID leaves the record in use as it was, whatever the outcome of the update.
  team.gateway.decide = () => unclear;
  expect(await team.run('resolve classifier.slot --id wrong')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  expect(await team.run('resolve classifier.slot --id wrong')).toMatchObject({ code: 1 });
  expect((await team.recorded()).live['classifier.slot']).toEqual(old);
  expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  expect(await team.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 updated'),
  });
  const { live, retired } = await team.recorded();
  expect(live['classifier.slot']?.id).toBe(id);
  expect(retired).toMatchObject([{ address: 'classifier.slot', id: old?.id }]);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test.each(['--not-created', '--id'])(
  'resolve %s prints the record in a response that it drops',
  async (word) => {
    await using team = await createTeam(smallCatalog, profile);
    team.onCreate('Rarity', { rewrite: (answer) => ({ ...answer, id: 'x-1', teamId: 'team_9' }) });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    team.gateway.decide = () => 'pass';
    const id = word === '--id' ? team.gateway.exchanges[0]?.answer?.id : '';
    const resolved = await team.run(`resolve classifier.rarity ${word} ${id}`.trim());
    expect(resolved).toMatchObject({ code: 0, stdout: expect.stringContaining('(record x-1)') });
  },
);

test('resolve --id prints the other record in a response, and keeps its ID', async () => {
  await using team = await createTeam(smallCatalog, 'profile: { itemCreate.clientId: honoured }\n');
  team.onCreate('Torch', { rewrite: (answer) => ({ ...answer, id: 'x-1' }) });
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  const asked = String(team.gateway.exchanges.find(isCreateOf('Torch'))?.body.id);
  const resolved = await team.run(`resolve item.torch --id ${asked}`);
  expect(resolved).toMatchObject({ code: 0, stdout: expect.stringContaining('record x-1') });
  expect((await team.recorded()).live['item.torch']).toMatchObject({ id: asked, otherIds: ['x-1'] });
  expect((await team.run('state show item.torch')).stdout).toMatch(/other ID +x-1/);
});

test('resolve --not-created prints the command that records an ID that it drops', async () => {
  await using team = await createTeam(smallCatalog);
  team.onCreate('Slot', { rewrite: (answer) => ({ ...answer, teamId: 'team_9' }) });
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
  const { stdout } = await team.run('resolve classifier.slot --not-created');
  const id = team.gateway.exchanges.find(isCreateOf('Slot'))?.answer?.id;
  const record = /trove (import -e staging classifier\.slot .*)$/m.exec(stdout)?.[1] ?? '';
  expect(await team.run(record)).toMatchObject({ code: 0 });
  expect((await team.recorded()).imported).toMatchObject([{ address: 'classifier.slot', id }]);
});

describe('swapped responses of a classifier create and an update', () => {
  const option = 'options: { o: { name: O, dropRateMultiplier: 1 } }';
  const before = `classifiers:\n  beta: { name: Beta, ${option} }\n`;
  const after = `${before.replace('Beta', 'Beta Two')}  alpha: { name: Alpha, ${option} }\n`;

  /** The create of Alpha was answered as the update of Beta, and the other way round. */
  async function swapped(): Promise<{ readonly team: Team; readonly alpha: string; readonly beta: string }> {
    const team = await appliedTeam({ 'catalog/game.yaml': before });
    await team.project.write('catalog/game.yaml', after);
    const { 'classifier.beta': record } = (await team.recorded()).live;
    let alpha: Record<string, unknown> = {};
    team.gateway.decide = ({ method }) => ({
      rewrite(answer) {
        if (method === 'PUT') return alpha;
        alpha = answer;
        return { ...record?.answer, name: 'Beta Two' };
      },
    });
    expect(await team.run('apply --yes --parallel 1')).toMatchObject({ code: 4 });
    team.gateway.decide = () => 'pass';
    return { team, alpha: String(alpha.id), beta: record?.id ?? '' };
  }

  const settle = 'trove resolve -e staging';
  const again = 'apply -e staging --reassert classifier.beta';

  test('keep the ID of the new record if the update is sent again, and resolve lists it', async () => {
    const { team, alpha, beta } = await swapped();
    await using _ = team;
    const { stdout } = await team.run('plan');
    expect(stdout).toContain(settle);
    expect(stdout).toContain(`trove ${again}\n`);
    expect(stdout).not.toContain('state forget');
    expect(await team.run(`${again} --yes`)).toMatchObject({ code: 4 });
    expect((await team.recorded()).live['classifier.beta']).toMatchObject({ id: beta, otherIds: [alpha] });
    expect((await team.run('resolve')).stdout).toContain(alpha);
    expect(await team.run(`resolve classifier.alpha --id ${alpha}`)).toMatchObject({ code: 0 });
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    expect(
      team.service
        .ledger()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Alpha', 'Beta Two']);
  });

  test('leave an update to send again once resolve has recorded the new record', async () => {
    const { team, alpha, beta } = await swapped();
    await using _ = team;
    expect(await team.run(`resolve classifier.alpha --id ${alpha}`)).toMatchObject({ code: 0 });
    expect((await team.run('plan')).stdout).toContain('Plan: 1 to update');
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    const { live } = await team.recorded();
    expect([live['classifier.alpha']?.id, live['classifier.beta']?.id]).toEqual([alpha, beta]);
    expect(live['classifier.beta']).not.toHaveProperty('otherIds');
  });

  test('let state forget suggest no import of the new record', async () => {
    const { team, alpha, beta } = await swapped();
    await using _ = team;
    const { stdout } = await team.run('state forget classifier.beta --yes');
    expect(stdout).toContain(`trove import -e staging classifier.beta ${beta}`);
    expect(stdout).not.toContain(`classifier.beta ${alpha}`);
    expect(stdout).toMatch(new RegExp(`${alpha}.*${settle}`, 's'));
  });
});

test('resolve refuses an unknown ID for a classifier even if an update creates it', async () => {
  await using team = await createTeam(smallCatalog, profile, { 'update.unknownId': 'created' });
  const id = await lost(team, 'apply --yes --new-environment');
  expectRefused(await team.run('resolve classifier.slot --id typo'), 'none of the options');
  expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
});

test.each([
  ['an unclear response', unclear, 4, /still pending/],
  ['a conflict', { status: 409, body: '{}' }, 1, /update conflicts/],
] as const)(
  'after %s to its update, resolve leaves the create pending and exits accordingly',
  async (_, fate, code, told) => {
    await using team = await createTeam(smallCatalog, profile);
    const id = await lost(team, 'apply --yes --new-environment');
    team.gateway.decide = () => fate;
    const result = await team.run(`resolve classifier.slot --id ${id}`);
    expect([result.code, result.stderr.replace(/\s+/g, ' ')]).toEqual([code, expect.stringMatching(told)]);
    expect((await team.recorded()).pending).toMatchObject([{ address: 'classifier.slot' }]);
  },
);

test('resolve records no rename if it is refused before anything is sent', async () => {
  await using team = await createTeam(smallCatalog, profile);
  const id = await lost(team, 'apply --yes --new-environment');
  await team.project.edit('catalog/game.yaml', 'torch:', 'lamp:');
  await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]\n');
  expectRefused(await team.run(`resolve classifier.slot --id ${id}`, { env: { TROVE_PASSWORD: '' } }));
  expect(existsSync(join(team.project.folder, `${statePath}.journal`))).toBe(false);
  expect(await team.run(`resolve classifier.slot --id ${id}`)).toMatchObject({ code: 0 });
  expect((await team.recorded()).live).toHaveProperty(['item.lamp']);
});

test('resolve --not-created of a replacement leaves the old record in use', async () => {
  await using team = await appliedTeam(smallCatalog, profile);
  const old = (await team.recorded()).live['classifier.slot']?.id;
  await lost(team, 'apply --yes --replace classifier.slot');
  const result = await team.run('resolve classifier.slot --not-created');
  expect(result.stdout).toContain(`its record ${old} stays in use`);
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('a pending create that `moved` renames has its new address and keeps its options', async () => {
  await using team = await createTeam(smallCatalog, profile);
  const id = await lost(team, 'apply --yes --new-environment');
  const text = (await team.project.read('catalog/game.yaml')).replaceAll('slot:', 'place:');
  await team.project.write(
    'catalog/game.yaml',
    `${text}moved: [{ from: classifier.slot, to: classifier.place }]\n`,
  );
  const plan = await team.run('plan');
  expect(plan.stdout).toContain('trove resolve classifier.place -e staging --id ID');
  expect(await team.run('resolve')).toMatchObject({ stdout: expect.stringContaining('? classifier.place') });
  expect(await team.run(`resolve classifier.place --id ${id}`)).toMatchObject({ code: 0 });
  const { live } = await team.recorded();
  expect(Object.keys(live['classifier.place']?.options ?? {})).toEqual(['main-hand', 'off-hand']);
  expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
  expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

/** The create of an item whose response is lost, as are those of its repetitions. */
async function torchLost(team: Team): Promise<void> {
  team.onCreate('Torch', 'unclear-after');
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
  team.gateway.decide = () => 'pass';
}

test.each([
  ['profile: { itemCreate.clientId: honoured }\n', {}, 'to send the same ID again: trove apply -e staging'],
  ['', {}, 'to send the same ID again: trove apply -e staging'],
  ['profile: { itemCreate.clientId: ignored }\n', { 'itemCreate.clientId': 'ignored' }, undefined],
  ['', { 'itemCreate.clientId': 'ignored' }, undefined],
] as const)(
  'the next step matches what is known about IDs, with %j and a service of %j',
  async (settings, dialect, again) => {
    await using team = await createTeam(smallCatalog, settings, dialect);
    await torchLost(team);
    for (const command of ['resolve', 'state show item.torch']) {
      const { stdout } = await team.run(command);
      const first = again ?? 'trove resolve item.torch -e staging --id ID';
      expect(stdout).toContain(`next      ${first}`);
    }
    const [change] = JSON.parse((await team.run('plan --format json')).stdout).changes;
    expect(change).toMatchObject({ address: 'item.torch', action: again ? 'create' : 'unknown' });
  },
);

test('resolve in another environment suggests env list and starts no state', async () => {
  await using team = await createTeam(smallCatalog);
  await torchLost(team);
  const env = { TROVE_ENV: 'local' };
  const refused = await team.run('resolve item.torch --not-created', { env });
  expectRefused(refused, 'trove env list');
  expect(refused.stderr).not.toMatch(/--recover|--new-environment/);
  expect((await team.run('env list')).stdout).toContain('1 unknown');
  await team.run('apply --yes', { env });
  expectRefused(await team.run('resolve item.torch', { env }), 'trove env list');
});
