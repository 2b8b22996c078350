import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { State } from '../../src/state/model.ts';
import { unclear } from '../rig/gateway.ts';
import { createProject, type Project } from '../rig/project.ts';
import { recorded, withoutStatus } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

const localState = 'catalog/.trove/local.state.json';

/** What these tests begin with takes long to make, so each gets a copy of one. */
const made = { applied: once(makeApplied), everything: once(makeEverything) };

afterAll(async () => {
  await (await made.applied())[Symbol.asyncDispose]();
  await (await made.everything())[Symbol.asyncDispose]();
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= make());
}

async function copyOf({ folder }: Project): Promise<Project> {
  const copy = await createProject({});
  await cp(folder, copy.folder, { recursive: true });
  return copy;
}

/** Everything is applied to the embedded service. */
async function applied(): Promise<Project> {
  return copyOf(await made.applied());
}

/** One of each that a state can record: diverged, unconfirmed, imported, retired, pending, recorded. */
async function everything(): Promise<Pick<Team, 'project' | 'run'> & AsyncDisposable> {
  const team = await made.everything();
  const project = await copyOf(team.project);
  return {
    project,
    run: (args) => project.run(args, { env: team.env }),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

async function makeApplied(): Promise<Project> {
  const project = await createProject(smallCatalog);
  expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
  return project;
}

async function idOf(project: Project, address: `item.${string}` | `classifier.${string}`): Promise<string> {
  const id = recorded(await project.state()).live[address]?.id;
  if (id === undefined) throw new Error(`${address} is not recorded`);
  return id;
}

async function makeEverything(): Promise<Team> {
  const team = await createTeam(smallCatalog);
  team.gateway.decide = ({ method, body }) => {
    if (method === 'POST' && body.name === 'Slot') return 'cut-after';
    if (body.name === 'Oak Bow') return { rewrite: (answer) => ({ ...answer, rollNumerator: 13 }) };
    return method === 'PUT' && body.name === 'Big Torch' ? unclear : 'pass';
  };
  await team.project.write('catalog/more.yaml', 'items: { lamp: { name: Lamp, rollNumerator: 1 } }\n');
  await team.run('apply --yes --new-environment');
  await team.project.write('catalog/more.yaml', 'items: { helmet: { name: Helmet, rollNumerator: 1 } }\n');
  await team.project.edit('catalog/game.yaml', 'name: Torch', 'name: Big Torch');
  await team.run('import item.helmet h-1');
  await team.run('apply --yes --target item.torch');
  await team.project.edit('catalog/game.yaml', 'name: Big Torch', 'name: Torch');
  await team.run('state mv item.lamp item.lantern');
  return team;
}

describe('state list', () => {
  test('everything with what it is, sorted; the lock of somebody else does not matter', async () => {
    await using team = await everything();
    await team.project.write(`${statePath}.lock`, 'somebody');
    const { code, stdout, stderr } = await team.run('state list');
    expect([code, stderr]).toEqual([0, '']);
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2).join(' '));
    expect(rows).toEqual([
      'ADDRESS STATUS',
      'classifier.rarity recorded',
      'classifier.slot pending',
      'item.helmet imported',
      'item.lantern recorded',
      'item.oak-bow diverged',
      'item.torch unconfirmed',
      '',
    ]);
    expect(stdout).toMatch(/^classifier\.slot +pending +not known$/m);
    expect(stdout).toMatch(/^item\.helmet +imported +h-1$/m);
    const json = JSON.parse((await team.run('state list --format json')).stdout);
    expect(json[1]).toEqual({
      address: 'classifier.slot',
      status: 'pending',
      id: null,
      at: expect.any(String),
    });
  });

  test('what is no longer declared is retired; forgetting it forgets its id as well', async () => {
    await using project = await applied();
    const id = await idOf(project, 'item.torch');
    await project.edit('catalog/game.yaml', '  torch:\n    name: Torch\n    rollNumerator: 100\n', '');
    await project.run('apply --yes');
    expect((await project.run('state list')).stdout).toMatch(
      new RegExp(`^item\\.torch +retired +${id}$`, 'm'),
    );
    expect((await project.run('state show item.torch')).stdout).toMatch(
      /^item\.torch: retired\n {2}retired +\d{4}-/,
    );
    const { stdout } = await project.run('state forget item.torch --yes');
    expect(stdout).toContain(`once the catalog declares it:\n  trove import item.torch ${id}\n`);
    expect(recorded(await project.state()).retired).toEqual([]);
  });

  test('without a state: it says so, and the list is empty', async () => {
    await using project = await createProject(smallCatalog);
    expect(await project.run('state list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Environment local has no state yet: nothing is recorded.\n',
    });
    expect((await project.run('state list --format json')).stdout).toBe('[]\n');
  });
});

describe('state show', () => {
  test('fields in the terms of the catalog, the request, and what was not taken or not seen', async () => {
    await using team = await everything();
    const bow = (await team.run('state show item.oak-bow')).stdout;
    expect(bow).toContain('item.oak-bow: diverged\n');
    expect(bow).toMatch(/^ {4}classifiers\.rarity +rare$/m);
    expect(bow).toMatch(/^ {4}rollNumerator +13$/m);
    expect(bow).toMatch(/^ {2}sent +POST \/items$/m);
    expect(bow).toMatch(/^ {2}not taken +rollNumerator: 12\.5$/m);
    const torch = (await team.run('state show item.torch')).stdout;
    expect(torch).toMatch(/^ {2}unconfirmed +PUT \/items\//m);
    expect(torch).toMatch(/^ {4}name +"Big Torch"$/m);
    expect((await team.run('state show item.helmet')).stdout).toMatch(/^ {2}id +h-1$/m);
    expect((await team.run('state show classifier.slot')).stdout).toContain(
      'trove resolve classifier.slot -e staging',
    );
    const json = JSON.parse((await team.run('state show item.oak-bow --format json')).stdout);
    expect(json).toMatchObject({
      address: 'item.oak-bow',
      entries: [{ status: 'diverged', answer: { name: 'Oak Bow' } }],
    });
  });

  test('of a request, the members of a list one below the other', async () => {
    await using project = await applied();
    const { stdout } = await project.run('state show classifier.rarity');
    expect(stdout).toMatch(
      /^ {4}classifierOptions +\[ \{"dropRateMultiplier": 1, "name": "Common"\},\n +\{"dropRateMultiplier": 0\.25, "name": "Rare"\} \]$/m,
    );
    expect((await project.run('state show item.torch')).stdout).toMatch(/^ {4}itemAttributes +\[\]$/m);
  });

  test('it needs no valid catalog, and names the nearest address', async () => {
    await using project = await applied();
    await project.write('catalog/broken.yaml', 'items: [');
    expect((await project.run('state show classifier.rarity')).stdout).toMatch(
      /^ {4}options\.rare +"Rare" x0\.25$/m,
    );
    const { code, stderr } = await project.run('state show item.iron-swrod');
    expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean item.iron-sword?')]);
  });

  test('what the service put into a record can not forge a line', async () => {
    await using team = await createTeam(smallCatalog);
    team.gateway.decide = () => ({
      rewrite: (answer) => ({ ...answer, createdAt: 'now\n  id  forged\u001b[2J' }),
    });
    await team.run('apply --yes --new-environment');
    const { stdout } = await team.run('state show classifier.rarity');
    expect(stdout).toContain('now\\n  id  forged\\e[2J');
  });
});

describe('state mv', () => {
  test('the record keeps its id under the new address, and it says what comes next', async () => {
    await using project = await applied();
    const id = await idOf(project, 'item.torch');
    const { code, stdout } = await project.run('state mv item.torch item.lamp');
    expect(code).toBe(0);
    expect(stdout).toContain('The catalog declares item.torch: to plan it is new');
    expect(stdout).toContain('The catalog does not declare item.lamp: to plan it is removed.');
    expect(stdout).toContain('moved: [{ from: item.torch, to: item.lamp }]');
    expect(await idOf(project, 'item.lamp')).toBe(id);
    await project.edit('catalog/game.yaml', 'torch:', 'lamp:');
    expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('where the catalog is broken it does the same, and says so with an if', async () => {
    await using project = await applied();
    await project.write('catalog/broken.yaml', 'items: [');
    const { code, stdout } = await project.run('state mv item.torch item.lamp');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('If the catalog declares item.torch, to plan it'),
    ]);
    expect((await project.run('state forget item.lamp --yes')).stdout).toContain(
      'If the catalog declares item.lamp',
    );
  });

  test.each([
    ['item.torhc item.lamp', 'did you mean item.torch?'],
    ['item.torch item.oak-bow', 'item.oak-bow is recorded already'],
    ['item.torch item.torch', 'item.torch is recorded already'],
    ['item.torch classifier.torch', "can't become"],
    ['item.torch lamp', 'no address'],
    ['item.torch item.Lamp', 'no address'],
    ['classifier.rarity classifier.rarity.rare', 'no address'],
  ])('%s is refused', async (args, said) => {
    await using project = await applied();
    const before = await project.read(localState);
    const { code, stdout, stderr } = await project.run(`state mv ${args}`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
    expect(await project.read(localState)).toBe(before);
  });
});

describe('state forget', () => {
  test('prints the ids, forgets them, and the printed command brings them back', async () => {
    await using project = await applied();
    const id = await idOf(project, 'classifier.rarity');
    const refused = await project.run('state forget classifier.rarity');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('trove state forget classifier.rarity --yes'),
    });
    expect(refused.stdout).toContain(id);
    expect(await idOf(project, 'classifier.rarity')).toBe(id);
    const { code, stdout } = await project.run('state forget classifier.rarity --yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}classifier\.rarity\.rare +option/m);
    expect(stdout).toContain('The catalog declares classifier.rarity: it is not created a second time');
    const { live, forgotten } = recorded(await project.state());
    expect([live['classifier.rarity'], forgotten?.['classifier.rarity']?.id]).toEqual([undefined, id]);
    const planned = await project.run('apply --yes');
    expect(planned).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/recorded as .* until\s+that\s+was\s+forgotten/),
    });
    const back = /^To have it back:\s+trove (.*)$/m.exec(stdout)?.[1] ?? '';
    expect(await project.run(back)).toMatchObject({ code: 0 });
    expect(recorded(await project.state()).imported).toMatchObject([{ address: 'classifier.rarity', id }]);
  });

  test('a pending create is not forgotten', async () => {
    await using team = await everything();
    const { code, stderr } = await team.run('state forget classifier.slot --yes');
    expect(code).toBe(1);
    expect(stderr).toContain('trove resolve classifier.slot -e staging --not-created');
    expect(recorded(await team.project.state(statePath)).pending).toHaveLength(1);
  });

  test.each(['state forget item.none --yes', 'state forget none --yes'])(
    '%s names what is there',
    async (args) => {
      await using project = await applied();
      expect(await project.run(args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('state list'),
      });
    },
  );
});

describe('state pull and push', () => {
  async function pulled(project: Project): Promise<State> {
    const { code, stdout } = await project.run('state pull');
    expect(code).toBe(0);
    await project.write('pulled.json', stdout);
    return JSON.parse(stdout) as State;
  }

  test('pull prints the state as it is stored; pushing it again changes nothing', async () => {
    await using project = await applied();
    await pulled(project);
    const stored = await project.read(localState);
    expect(await project.read('pulled.json')).toBe(stored);
    expect((await project.run('state push pulled.json')).stdout).toContain('the same already');
    expect(await project.read(localState)).toBe(stored);
  });

  test('pull has what an interrupted run left in its journal, and push takes that in first', async () => {
    await using team = await createTeam(smallCatalog);
    const child = team.project.start('apply --yes --new-environment --parallel 1', { env: team.env });
    team.gateway.decide = (_exchange, index) => {
      if (index === 3) child.kill('SIGKILL');
      return 'pass';
    };
    await new Promise((done) => child.on('close', done));
    expect(existsSync(join(team.project.folder, statePath))).toBe(false);
    const { stdout } = await team.run('state pull');
    const state = JSON.parse(stdout) as State;
    expect(Object.keys(recorded(state).live).length + recorded(state).pending.length).toBeGreaterThan(2);
    const [address = ''] = Object.keys(recorded(state).live);
    await team.project.write('less.json', JSON.stringify(withoutStatus(state, 'live')));
    const refused = await team.run('state push less.json');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(address) });
    expect((await team.run('state pull')).stdout).toBe(stdout);
    expect(existsSync(join(team.project.folder, `${statePath}.journal`))).toBe(true);
    const forced = await team.run('state push less.json --force');
    expect(forced).toMatchObject({ code: 0, stdout: expect.stringContaining('Lost with it:') });
    expect(forced.stdout).toContain(address);
    expect(existsSync(join(team.project.folder, `${statePath}.journal`))).toBe(false);
    expect(await team.recorded()).toMatchObject({
      live: {},
      pending: recorded(state).pending,
    });
  });

  test('a lost state is put back as it was', async () => {
    await using project = await applied();
    const { entries, lineage } = await pulled(project);
    await rm(join(project.folder, localState));
    expect(await project.run('state pull')).toMatchObject({ code: 1, stdout: '' });
    expect(await project.run('state push pulled.json')).toMatchObject({ code: 0 });
    expect(await project.state()).toMatchObject({ entries, lineage });
    expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('what was pulled before the first save is put back too', async () => {
    await using team = await createTeam(smallCatalog);
    const child = team.project.start('apply --yes --new-environment --parallel 1', { env: team.env });
    team.gateway.decide = (_exchange, index) => {
      if (index === 1) child.kill('SIGKILL');
      return 'pass';
    };
    await new Promise((done) => child.on('close', done));
    const { stdout } = await team.run('state pull');
    const { entries } = JSON.parse(stdout) as State;
    expect(entries.length).toBeGreaterThan(1);
    await team.project.write('pulled.json', stdout);
    await rm(join(team.project.folder, 'catalog/state'), { recursive: true });
    expect(await team.run('state push pulled.json')).toMatchObject({ code: 0 });
    expect((await team.project.state(statePath)).entries).toEqual(entries);
  });

  test('a serial that was pushed higher is never given again', async () => {
    await using project = await applied();
    const state = await pulled(project);
    await project.write('later.json', JSON.stringify({ ...state, serial: 40 }));
    expect(await project.run('state push later.json')).toMatchObject({ code: 0 });
    expect((await project.state()).serial).toBe(40);
    await project.run('state mv item.torch item.lamp');
    expect((await project.state()).serial).toBe(41);
  });

  test.each<[string, (state: State) => unknown, string]>([
    ['another history', (state) => ({ ...state, lineage: 'another' }), 'the lineages differ'],
    ['an older one', (state) => ({ ...state, serial: 0 }), 'its serial is 0, and the state has 1'],
    [
      'one that lacks an id',
      (state) => ({ ...state, entries: state.entries.filter(({ address }) => address !== 'item.torch') }),
      'item.torch with the id',
    ],
    [
      'one that lacks the id of an option',
      (state) => {
        const entries = state.entries.map((entry) =>
          entry.address === 'classifier.rarity' ? { ...entry, options: {} } : entry,
        );
        return { ...state, entries };
      },
      'classifier.rarity.rare with the id',
    ],
  ])('%s is refused, unless with --force', async (_, change, said) => {
    await using project = await applied();
    await project.write('changed.json', JSON.stringify(change(await pulled(project))));
    const stored = await project.read(localState);
    expect(await project.run('state push changed.json')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(said),
    });
    expect(await project.read(localState)).toBe(stored);
    expect(await project.run('state push changed.json --force')).toMatchObject({ code: 0 });
    expect((await project.state()).serial).toBe(2);
  });

  test('a pending create is not pushed away', async () => {
    await using team = await everything();
    const state = JSON.parse((await team.run('state pull')).stdout) as State;
    await team.project.write('without.json', JSON.stringify(withoutStatus(state, 'pending')));
    const { code, stderr } = await team.run('state push without.json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('the pending create of classifier.slot')]);
  });

  test('a state of another target is refused, also with --force', async () => {
    await using project = await applied();
    const state = await pulled(project);
    const target = { ...state.target, teamId: 'team_9' };
    await project.write('foreign.json', JSON.stringify({ ...state, target, serial: 9 }));
    expect(await project.run('state push foreign.json --force')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('team "team_9"'),
    });
  });

  test.each([
    ['nowhere.json', 'no such file'],
    ['catalog/game.yaml', 'not valid JSON'],
  ])('%s is refused with a clear error', async (file, said) => {
    await using project = await applied();
    const { code, stderr } = await project.run(`state push ${file}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  });
});
