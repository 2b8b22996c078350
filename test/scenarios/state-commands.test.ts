import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/catalog/model.ts';
import type { State } from '../../src/state/model.ts';
import { createProject, expectRefused, type Project } from '../rig/project.ts';
import { recorded, withoutStatus } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, statePath, type Team } from '../rig/team.ts';

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

async function idOf(project: Project, address: Address): Promise<string> {
  const id = recorded(await project.state()).live[address]?.id;
  if (id === undefined) throw new Error(`${address} is not recorded`);
  return id;
}

async function makeEverything(): Promise<Team> {
  const team = await createTeam(smallCatalog);
  team.gateway.decide = ({ method, body }) => {
    if (method === 'POST' && body.name === 'Slot') return 'cut-after';
    if (body.name === 'Oak Bow') return { rewrite: (answer) => ({ ...answer, rollNumerator: 13 }) };
    return method === 'PUT' && body.name === 'Big Torch' ? 'unclear-after' : 'pass';
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
  test('shows every address sorted with its status, even if the state is locked', async () => {
    await using team = await everything();
    await team.project.write(`${statePath}.lock`, 'somebody');
    const { code, stdout, stderr } = await team.run('state list --format json');
    expect([code, stderr]).toEqual([0, '']);
    const rows = JSON.parse(stdout) as { address: string; status: string; id: string | null }[];
    expect(rows.map(({ address, status }) => `${address} ${status}`)).toEqual([
      'classifier.rarity recorded',
      'classifier.slot pending',
      'item.helmet imported',
      'item.lantern recorded',
      'item.oak-bow diverged',
      'item.torch unconfirmed',
    ]);
    expect(rows.map(({ id }) => id).slice(1, 3)).toEqual([null, 'h-1']);
    const text = (await team.run('state list')).stdout;
    for (const { address, status } of rows) expect(text).toMatch(new RegExp(`^${address} +${status} `, 'm'));
  });

  test('shows an undeclared resource as retired until state forget drops its ID', async () => {
    await using project = await applied();
    const id = await idOf(project, 'item.torch');
    await project.edit('catalog/game.yaml', '  torch:\n    name: Torch\n    rollNumerator: 100\n', '');
    await project.run('apply --yes');
    const listed = JSON.parse((await project.run('state list --format json')).stdout);
    expect(listed).toContainEqual(expect.objectContaining({ address: 'item.torch', status: 'retired', id }));
    expect((await project.run('state show item.torch')).stdout).toMatch(/^item\.torch: retired\n/);
    const { stdout } = await project.run('state forget item.torch --yes');
    expect(stdout).toContain(`trove import item.torch ${id}\n`);
    expect(recorded(await project.state()).retired).toEqual([]);
  });

  test('is empty without a state, with a note on stderr', async () => {
    await using project = await createProject(smallCatalog);
    const nothing = { code: 0, stdout: '', stderr: expect.stringContaining('no state') };
    expect(await project.run('state list')).toEqual(nothing);
    expect((await project.run('state list --format json')).stdout).toBe('[]\n');
  });
});

describe('state show', () => {
  test('prints fields by their catalog names, the request, and values not stored or unconfirmed', async () => {
    await using team = await everything();
    const shown = async (address: string) => (await team.run(`state show ${address}`)).stdout;
    const bow = await shown('item.oak-bow');
    for (const line of [
      /^item.oak-bow: diverged$/m,
      /^ {4}classifiers\.rarity +rare$/m,
      /^ {4}rollNumerator +13$/m,
      /^ {2}sent +POST \/items$/m,
      /^ {2}not stored +rollNumerator: 12\.5$/m,
    ])
      expect(bow).toMatch(line);
    expect(await shown('item.torch')).toMatch(/^ {2}unconfirmed +PUT \/items\/.*^ {4}name +"Big Torch"$/ms);
    expect(await shown('item.helmet')).toMatch(/^ {2}id +h-1$/m);
    expect(await shown('classifier.slot')).toContain('trove resolve classifier.slot -e staging');
    expect((await shown('classifier.rarity')).replaceAll(/ *\n {8,}/g, ' ')).toMatch(
      /^ {4}classifierOptions +\[ \{ "dropRateMultiplier": 1, "name": "Common" \}, \{.*\} \]$/m,
    );
    expect(JSON.parse((await team.run('state show item.oak-bow --format json')).stdout)).toMatchObject({
      address: 'item.oak-bow',
      entries: [{ status: 'diverged', answer: { name: 'Oak Bow' } }],
    });
  });

  test('works with an invalid catalog and suggests the nearest address', async () => {
    await using project = await applied();
    await project.write('catalog/broken.yaml', 'items: [');
    const { stdout } = await project.run('state show classifier.rarity');
    expect(stdout).toMatch(/^ {4}options\.rare +"Rare" x0\.25$/m);
    const { code, stderr } = await project.run('state show item.iron-swrod');
    expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean `item.iron-sword`?')]);
  });

  test('escapes what could forge a line in a record from the service', async () => {
    await using team = await createTeam(smallCatalog);
    const createdAt = 'now\n  id  forged\u001b[2J';
    team.gateway.decide = () => ({ rewrite: (answer) => ({ ...answer, createdAt }) });
    await team.run('apply --yes --new-environment');
    const { stdout } = await team.run('state show classifier.rarity');
    expect(stdout).toContain('now\\n  id  forged\\e[2J');
  });
});

describe('trove state', () => {
  test('mv keeps the ID of a record at its new address, even with a broken catalog', async () => {
    await using project = await applied();
    const id = await idOf(project, 'item.torch');
    const { code, stdout } = await project.run('state mv item.torch item.lamp');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('moved: [{ from: item.torch, to: item.lamp }]'),
    ]);
    expect(await idOf(project, 'item.lamp')).toBe(id);
    await project.edit('catalog/game.yaml', 'torch:', 'lamp:');
    expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    await project.write('catalog/broken.yaml', 'items: [');
    expect(await project.run('state mv item.lamp item.torch')).toMatchObject({ code: 0, stderr: '' });
    expect(await idOf(project, 'item.torch')).toBe(id);
    expect(await project.run('state forget item.torch --yes')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['mv item.torhc item.lamp', 'did you mean `item.torch`?'],
    ['mv item.torch item.oak-bow', 'item.oak-bow is already recorded'],
    ['mv item.torch item.torch', 'item.torch is already recorded'],
    ['mv item.torch classifier.torch', "can't become"],
    ['mv item.torch lamp', 'not the address'],
    ['mv item.torch item.Lamp', 'not the address'],
    ['mv classifier.rarity classifier.rarity.rare', 'not the address'],
    ['forget item.none --yes', 'state list'],
    ['forget none --yes', 'state list'],
    ['push nowhere.json', 'it does not exist'],
    ['push catalog/game.yaml', 'not valid JSON'],
  ])('%s is refused', async (args, text) => {
    await using project = await applied();
    const before = await project.read(localState);
    expectRefused(await project.run(`state ${args}`), text);
    expect(await project.read(localState)).toBe(before);
  });
});

describe('state forget', () => {
  test('prints the IDs that it drops, and a command that restores them', async () => {
    await using project = await applied();
    const id = await idOf(project, 'classifier.rarity');
    const refused = await project.run('state forget classifier.rarity');
    const command = 'trove state forget classifier.rarity --yes';
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(command) });
    expect(refused.stdout).toContain(id);
    expect(await idOf(project, 'classifier.rarity')).toBe(id);
    const { code, stdout } = await project.run('state forget classifier.rarity --yes');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}classifier\.rarity\.rare +option/m)]);
    const { live, forgotten } = recorded(await project.state());
    expect([live['classifier.rarity'], forgotten['classifier.rarity']?.id]).toEqual([undefined, id]);
    expect(await project.run('apply --yes')).toMatchObject({ code: 3 });
    const back = /^ *trove (import .*)$/m.exec(stdout)?.[1] ?? '';
    expect(await project.run(back)).toMatchObject({ code: 0 });
    expect(recorded(await project.state()).imported).toMatchObject([{ address: 'classifier.rarity', id }]);
    expect(stdout).toContain('The service keeps the record');
    const { stdout: unconfirmed } = await project.run('state forget classifier.rarity --yes');
    expect(unconfirmed).toContain('The ID was never confirmed');
    expect(unconfirmed).not.toContain('The service keeps the record');
  });

  test('prints the ID that an update returned, and the plan and it print commands that import it', async () => {
    await using team = await appliedTeam();
    await team.project.edit('catalog/game.yaml', 'name: Torch', 'name: Lamp');
    team.gateway.decide = () => ({ rewrite: (answer) => ({ ...answer, id: 'x-1' }) });
    expect(await team.run('apply --yes')).toMatchObject({ code: 4 });
    const { stdout: planned } = await team.run('plan');
    const { stdout } = await team.run('state forget item.torch --yes');
    expect(stdout).toMatch(/^ {2}item\.torch +other ID +x-1$/m);
    const record = / trove (import -e staging item\.torch x-1)$/m;
    const [printed = ''] = [planned, stdout].map((text) => record.exec(text)?.[1]);
    expect(stdout).toMatch(record);
    expect(await team.run(printed)).toMatchObject({ code: 0 });
    expect((await team.recorded()).imported).toMatchObject([{ address: 'item.torch', id: 'x-1' }]);
  });

  test('and state push refuse to drop a pending create', async () => {
    await using team = await everything();
    const state = JSON.parse((await team.run('state pull')).stdout) as State;
    await team.project.write('without.json', JSON.stringify(withoutStatus(state, 'pending')));
    const settle = 'trove resolve classifier.slot -e staging --not-created';
    expectRefused(await team.run('state forget classifier.slot --yes'), settle);
    expectRefused(await team.run('state push without.json'), 'the pending create of classifier.slot');
    expect(recorded(await team.project.state(statePath)).pending).toHaveLength(1);
    expect(await team.run('state push without.json --force')).toMatchObject({ code: 0 });
    expect(recorded(await team.project.state(statePath)).pending).toMatchObject([
      { address: 'classifier.slot' },
    ]);
  });
});

describe('state pull and push', () => {
  async function pulled({ project, run }: Pick<Team, 'project' | 'run'>): Promise<State> {
    const { code, stdout } = await run('state pull');
    expect(code).toBe(0);
    await project.write('pulled.json', stdout);
    return JSON.parse(stdout) as State;
  }
  const local = (project: Project) => pulled({ project, run: project.run });

  /** An apply that is killed when its request of this number arrives. */
  async function killed(number: number): Promise<Team> {
    const team = await createTeam(smallCatalog);
    await team.endedAt(number, 'apply --yes --new-environment --parallel 1');
    expect(existsSync(join(team.project.folder, statePath))).toBe(false);
    return team;
  }

  test('print the stored state and accept it unchanged', async () => {
    await using project = await applied();
    await local(project);
    const stored = await project.read(localState);
    expect(await project.read('pulled.json')).toBe(stored);
    expect(await project.run('state push pulled.json')).toMatchObject({ code: 0, stderr: '' });
    expect(await project.read(localState)).toBe(stored);
  });

  test('include the journal of an interrupted run', async () => {
    await using team = await killed(3);
    const state = await pulled(team);
    const { live, pending } = recorded(state);
    expect(Object.keys(live).length + pending.length).toBeGreaterThan(2);
    const [address = ''] = Object.keys(live);
    const journal = join(team.project.folder, `${statePath}.journal`);
    await team.project.write('less.json', JSON.stringify(withoutStatus(state, 'live')));
    expectRefused(await team.run('state push less.json'), address);
    expect([await pulled(team), existsSync(journal)]).toEqual([state, true]);
    const forced = await team.run('state push less.json --force');
    expect(forced).toMatchObject({ code: 0, stdout: expect.stringContaining(address) });
    expect(existsSync(journal)).toBe(false);
    expect(await team.recorded()).toMatchObject({ live: {}, pending });
  });

  test('restore a lost state, even one pulled before the first save', async () => {
    await using project = await applied();
    const { entries, lineage } = await local(project);
    await rm(join(project.folder, localState));
    expect(await project.run('state pull')).toMatchObject({ code: 1, stdout: '' });
    expect(await project.run('state push pulled.json')).toMatchObject({ code: 0 });
    expect(await project.state()).toMatchObject({ entries, lineage });
    expect(await project.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });

    await using team = await killed(1);
    const before = await pulled(team);
    expect(before.entries.length).toBeGreaterThan(1);
    await rm(join(team.project.folder, 'catalog/state'), { recursive: true });
    expect(await team.run('state push pulled.json')).toMatchObject({ code: 0 });
    expect((await team.project.state(statePath)).entries).toEqual(before.entries);
  });

  test('never reuse a serial after a higher one was pushed', async () => {
    await using project = await applied();
    const state = await local(project);
    await project.write('later.json', JSON.stringify({ ...state, serial: 40 }));
    expect(await project.run('state push later.json')).toMatchObject({ code: 0 });
    expect((await project.state()).serial).toBe(40);
    await project.run('state mv item.torch item.lamp');
    expect((await project.state()).serial).toBe(41);
  });

  const withoutTorch = ({ entries }: State) => entries.filter(({ address }) => address !== 'item.torch');
  const withoutOptions = ({ entries }: State) =>
    entries.map((entry) => (entry.address === 'classifier.rarity' ? { ...entry, options: {} } : entry));

  test.each<[string, (state: State) => object, string, boolean]>([
    ['a state with another lineage', () => ({ lineage: 'another' }), 'the lineages differ', true],
    ['an older state', () => ({ serial: 1 }), 'its serial is 1, and the state has 3', true],
    [
      'a state that lacks an ID',
      (state) => ({ entries: withoutTorch(state) }),
      'item.torch with the ID',
      true,
    ],
    [
      'a state that lacks the ID of an option',
      (state) => ({ entries: withoutOptions(state) }),
      'classifier.rarity.rare with the ID',
      true,
    ],
    [
      'a state of another team',
      ({ target }) => ({ target: { ...target, teamId: 'team_9' }, serial: 9 }),
      'team "team_9"',
      false,
    ],
  ])('refuse %s, which --force may allow', async (_, change, text, helps) => {
    await using project = await applied();
    await project.run('state mv item.torch item.lamp');
    await project.run('state mv item.lamp item.torch');
    const state = await local(project);
    await project.write('changed.json', JSON.stringify({ ...state, ...change(state) }));
    const stored = await project.read(localState);
    expectRefused(await project.run('state push changed.json'), text);
    expect(await project.read(localState)).toBe(stored);
    expect(await project.run('state push changed.json --force')).toMatchObject({ code: helps ? 0 : 1 });
    expect((await project.state()).serial).toBe(helps ? 4 : 3);
  });
});

describe('a forced push of an older state', () => {
  /** The state as it is when `between` begins takes the place of the one after it. */
  async function wentBack(team: Team, between: () => Promise<unknown>): Promise<string> {
    await team.project.write('older.json', await team.project.read(statePath));
    await between();
    const { code, stdout, stderr } = await team.run('state push older.json --force');
    expect(code, stderr).toBe(0);
    return stdout;
  }

  test('keeps the ID of a record whose create it has as pending, so that it is not created again', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Slot', { status: 302, body: '' });
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    const settle = 'resolve classifier.slot --not-created';
    const stdout = await wentBack(team, async () => {
      team.gateway.decide = () => 'pass';
      await team.run(settle);
      expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    });
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['  trove import -e staging ADDRESS ID']));
    expect(await team.run(settle)).toMatchObject({ code: 0 });
    const { stdout: planned } = await team.run('plan');
    expect(planned).toContain('! blocked   classifier.slot');
    const printed = /trove (import -e staging classifier\.slot .*)$/m.exec(planned)?.[1] ?? '';
    expect(await team.run(printed)).toMatchObject({ code: 0 });
    expect(stdout).toMatch(new RegExp(`^  classifier\\.slot +${printed.split(' ').at(-1)}$`, 'm'));
  });

  test('keeps a create that is pending beside an ID that was let go of, which it has again', async () => {
    await using team = await appliedTeam();
    await wentBack(team, async () => {
      await team.run('state forget item.torch --yes');
      team.onCreate('Torch', { status: 302, body: '' });
      expect(await team.run('apply --yes --confirm-new item.torch')).toMatchObject({ code: 4 });
    });
    const { entries } = await team.project.state(statePath);
    const standing = entries.filter(({ address }) => address === 'item.torch').map(({ status }) => status);
    expect(standing).toEqual(['live', 'pending']);
  });

  test('keeps the ID of a record that replaced one of its own, and prints steps that bring it back', async () => {
    await using team = await appliedTeam();
    const stdout = await wentBack(team, () => team.run('apply --yes --replace classifier.rarity'));
    const id = /^ {2}classifier\.rarity +(\S+)$/m.exec(stdout)?.[1] as string;
    expect((await team.recorded()).forgotten['classifier.rarity']?.id).toBe(id);
    const [forget = '', record = ''] = ['state forget', 'import'].map(
      (command) => new RegExp(`trove (${command} -e staging ADDRESS.*)$`, 'm').exec(stdout)?.[1],
    );
    expect(await team.run(`${forget.replace('ADDRESS', 'classifier.rarity')} --yes`)).toMatchObject({
      code: 0,
    });
    const steps = record.replace('ADDRESS', 'classifier.rarity').replace(/ID$/, id);
    expect(await team.run(steps)).toMatchObject({ code: 0 });
    expect((await team.recorded()).imported).toMatchObject([{ address: 'classifier.rarity', id }]);
  });

  test('keeps a pending replacement of a record that it has', async () => {
    await using team = await appliedTeam();
    await wentBack(team, async () => {
      team.onCreate('Rarity', 'cut-after');
      expect(await team.run('apply --yes --replace classifier.rarity')).toMatchObject({ code: 4 });
    });
    const { pending, live } = await team.recorded();
    expect([pending, live['classifier.rarity']]).toMatchObject([[{ address: 'classifier.rarity' }], {}]);
  });

  test('forgets nothing of a record that it has under its former key', async () => {
    await using team = await appliedTeam();
    const stdout = await wentBack(team, () => team.run('state mv item.torch item.lamp'));
    expect([stdout.split('\n').length, (await team.recorded()).forgotten]).toEqual([2, {}]);
    await team.project.edit('catalog/game.yaml', '  torch:', '  lamp:');
    expect((await team.run('plan')).stdout).toContain('[possible-rename]');
  });

  test('has a create that is pending under its former key only there', async () => {
    await using team = await createTeam(smallCatalog);
    team.onCreate('Slot', 'cut-after');
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 4 });
    await wentBack(team, () => team.run('state mv classifier.slot classifier.place'));
    expect((await team.recorded()).pending).toMatchObject([{ address: 'classifier.slot' }]);
  });
});

test('a protection that is added or removed is recorded, and the report counts it', async () => {
  await using project = await applied();
  const file = 'catalog/game.yaml';
  await project.edit(file, 'rollNumerator: 100', 'rollNumerator: 100\n    lifecycle: { protect: true }');
  expect(await project.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Applied to local: 1 protected.'),
  });
  expect(recorded(JSON.parse(await project.read(localState))).live['item.torch']?.protect).toBe(true);
  await project.edit(file, 'protect: true', 'protect: false');
  expect((await project.run('apply --yes')).stdout).toContain('Applied to local: 1 unprotected.');
  expect((await project.run('plan')).stdout).toContain('No changes: 5 unchanged.');
});
