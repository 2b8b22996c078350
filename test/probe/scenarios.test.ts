import { describe, expect, test } from 'vitest';
import { profilePoints } from '../../src/contract/profile.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import { truthOf } from '../rig/dialects.ts';
import type { Exchange, Fate } from '../rig/gateway.ts';
import { finished } from '../rig/project.ts';
import { recorded } from '../rig/recorded.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

const file = 'catalog/environments/staging.yaml';
const attributes = 'attributes: { damage: attr_1, speed: attr_2 }\n';
const speaks: Partial<Dialect> = {
  'itemUpdate.classifierOptionIds': 'by-option',
  'itemUpdate.assignments': 'merge',
  'itemUpdate.nullThumbnail': 'clears',
  'classifierUpdate.options': 'merged-by-name',
};

const probing = (settings = attributes, dialect: Partial<Dialect> = {}) =>
  createTeam({ 'catalog/a.yaml': '' }, settings, dialect);

async function environmentOf({ project }: Team) {
  const loaded = await loadEnvironment('staging', { catalogFolder: 'catalog', cwd: project.folder });
  if (!loaded.ok) throw new Error('the environment can not be read');
  return loaded.value;
}

const writes = ({ gateway }: Team) => gateway.count('POST', 'PUT');

/** Every record that the service has is one that the state has, and none was created twice. */
async function expectNothingLost(team: Team): Promise<void> {
  const { live, retired, pending } = recorded(await team.project.state(statePath));
  expect([live, pending]).toEqual([{}, []]);
  const ledger = team.service.ledger();
  expect(ledger.map(({ id }) => id).sort()).toEqual(retired.map(({ id }) => id).sort());
  expect(ledger.filter(({ createdTimes }) => createdTimes > 1)).toEqual([]);
}

describe('a probe sends nothing', () => {
  test.each([
    ['without a state', 'probe --yes', 'trove probe -e staging --new-environment'],
    ['without a terminal', 'probe --new-environment', 'trove probe -e staging --yes'],
    ['to the embedded service', 'probe --yes -e local', 'whose profile is known'],
  ])('%s', async (_, args, says) => {
    await using team = await probing();
    expect(await team.run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
    expect(writes(team)).toBe(0);
    expect(await team.project.read(file)).not.toContain('probed');
  });

  test('if another record has one of its addresses', async () => {
    await using team = await probing();
    await team.project.write('catalog/a.yaml', 'items: { axe: { name: Axe, rollNumerator: 1 } }');
    await team.run('apply --yes --new-environment');
    const state = (await team.project.read(statePath)).replace('"item.axe"', '"item.trove-probe-a"');
    await team.project.write(statePath, state);
    const sent = writes(team);
    const refused = await team.run('probe --yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[reserved-address]') });
    expect(writes(team)).toBe(sent);
  });
});

describe('a probe', () => {
  test('writes the truth with evidence, and leaves the rest of the file', async () => {
    const settings = `# before\n${attributes}# tail\nprofile: # why\n  update.unknownId: created # by hand\n`;
    await using team = await probing(settings, speaks);
    const before = await team.project.read(file);
    const probed = await team.run('probe --yes --new-environment');
    expect(probed, probed.stderr).toMatchObject({ code: 0 });
    expect(probed.stdout).toContain('rejected (the file had created)');
    const text = await team.project.read(file);
    expect(text.startsWith(before.replace('created # by hand', 'rejected # by hand'))).toBe(true);
    const environment = await environmentOf(team);
    expect(environment.profile).toEqual(truthOf(speaks));
    expect(Object.keys(environment.probed).sort()).toEqual(Object.keys(profilePoints).sort());
    for (const { request = '', answer = '' } of Object.values(environment.probed)) {
      expect(request).toMatch(/^(POST|PUT) \/(items|classifiers)/);
      expect(answer).toMatch(/^[2-5]\d\d /);
    }
    await expectNothingLost(team);
  });

  test('sends nothing the second time, and uses the same records with --again', async () => {
    await using team = await probing();
    expect(await team.run('probe --yes --new-environment')).toMatchObject({ code: 0 });
    const text = await team.project.read(file);
    const sent = writes(team);
    const second = await team.run('probe');
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was sent') });
    expect(second.stdout).toMatch(/update\.unknownId +rejected \(known since \d{4}-\d\d-\d\d\)/);
    expect([writes(team), await team.project.read(file)]).toEqual([sent, text]);
    const third = await team.run('probe --yes --again --format json');
    expect(third.code).toBe(0);
    expect(JSON.parse(third.stdout)).toMatchObject({ left: [{}, {}], pending: [], written: file });
    expect(writes(team)).toBeGreaterThan(sent);
    await expectNothingLost(team);
  });

  test('ignores evidence that was copied from the file of another service', async () => {
    await using team = await probing();
    expect(await team.run('probe --yes --new-environment')).toMatchObject({ code: 0 });
    const elsewhere = team.gateway.url.replace('127.0.0.1', 'localhost');
    const copy = (await team.project.read(file)).replace(/^baseUrl: .*/, `baseUrl: ${elsewhere}`);
    await team.project.write('catalog/environments/copy.yaml', copy);
    const sent = writes(team);
    const probed = await team.run('-e copy probe --yes --new-environment', { env: { TROVE_ENV: '' } });
    expect(probed, probed.stderr).toMatchObject({ code: 0 });
    expect(probed.stdout).not.toContain('known since');
    expect(writes(team)).toBeGreaterThan(sent);
  });

  test('writes no credentials, even if the service repeats them', async () => {
    await using team = await probing();
    const echo = Buffer.from(`designer:${team.env.TROVE_PASSWORD}`).toString('base64');
    team.gateway.decide = () => ({ rewrite: (answer) => ({ debug: `Basic ${echo}`, ...answer }) });
    const probed = await team.run('probe --yes --new-environment');
    const all = probed.stdout + probed.stderr + (await team.project.read(file));
    expect(probed.code).toBe(0);
    expect(all).not.toContain(echo);
    expect(all).not.toContain(String(team.env.TROVE_PASSWORD));
  });

  test('turns a blocked change into an update', async () => {
    await using team = await createTeam(smallCatalog, attributes, speaks);
    expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
    await team.project.edit('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
    await team.project.edit('catalog/game.yaml', 'rarity: common, slot', 'rarity: [common, rare], slot');
    expect(await team.run('plan')).toMatchObject({ code: 3, stdout: expect.stringContaining('2 blocked') });
    expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
    expect(await team.run('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 to update') });
    expect(await team.run('apply --yes')).toMatchObject({ code: 0 });
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });
});

describe('a disturbed probe', () => {
  const isCreate = ({ method, path }: Exchange, of: string) => method === 'POST' && path === of;

  test.each([['cut-before' as const], ['cut-after' as const]])(
    'continues after `trove resolve` if its classifier create is unknown (%s)',
    async (fate) => {
      await using team = await probing();
      team.gateway.decide = (exchange) => (isCreate(exchange, '/classifiers') ? fate : 'pass');
      const lost = await team.run('probe --yes --new-environment');
      expect(lost.code).toBe(4);
      expect(lost.stdout).toContain('trove resolve classifier.trove-probe -e staging --not-created');
      expect(writes(team)).toBe(1);
      team.gateway.decide = () => 'pass';
      expect(await team.run('probe --yes')).toMatchObject({ code: 4 });
      expect(writes(team)).toBe(1);
      const id = team.gateway.exchanges[0]?.answer?.id;
      const word = id === undefined ? '--not-created' : `--id ${id}`;
      expect(await team.run(`resolve classifier.trove-probe ${word}`)).toMatchObject({ code: 0 });
      expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
      await expectNothingLost(team);
      expect((await environmentOf(team)).profile).toEqual(truthOf({}));
    },
  );

  test('repeats an item create without a response if the profile honors IDs', async () => {
    await using team = await probing(`${attributes}profile: { itemCreate.clientId: honoured }\n`);
    let cut = 0;
    team.gateway.decide = (exchange) => (isCreate(exchange, '/items') && cut++ === 0 ? 'cut-after' : 'pass');
    expect(await team.run('probe --yes --new-environment')).toMatchObject({ code: 0 });
    await expectNothingLost(team);
    expect((await environmentOf(team)).profile).toEqual(truthOf({}));
  });

  test.each([2, 3, 5, 7, 10, 11])(
    'that is killed at request %i continues with the same records',
    async (at) => {
      const dialect = { 'update.unknownId': 'created', 'itemCreate.existingId': 500 } as const;
      await using team = await probing(attributes, dialect);
      const child = team.project.start('probe --yes --new-environment', { env: team.env });
      team.gateway.decide = (_, index) => {
        if (index === at) child.kill('SIGKILL');
        return 'pass';
      };
      await finished(child);
      expect(await team.project.read(file)).not.toContain('probed');
      expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
      await expectNothingLost(team);
      expect(team.service.ledger()).toHaveLength(3);
      expect((await environmentOf(team)).profile).toEqual(truthOf(dialect));
    },
  );

  test('that is killed at its item create makes no second one if IDs are honored', async () => {
    await using team = await probing(`${attributes}profile: { itemCreate.clientId: honoured }\n`);
    const child = team.project.start('probe --yes --new-environment', { env: team.env });
    team.gateway.decide = (exchange) => {
      if (isCreate(exchange, '/items')) child.kill('SIGKILL');
      return 'pass';
    };
    await finished(child);
    team.gateway.decide = () => 'pass';
    expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
    await expectNothingLost(team);
    expect(team.service.ledger()).toHaveLength(2);
    expect((await environmentOf(team)).profile).toEqual(truthOf({}));
  });

  test('writes its findings at Ctrl-C, and the next run does the rest', async () => {
    await using team = await probing();
    const child = team.project.start('probe --yes --new-environment', { env: team.env });
    team.gateway.decide = (_, index) => {
      if (index === 4) child.kill('SIGINT');
      return 'pass';
    };
    const { code, stdout } = await finished(child);
    expect([code, stdout.includes('Stopped: interrupted')]).toEqual([130, true]);
    const { probed } = await environmentOf(team);
    expect(Object.keys(probed)).toContain('itemCreate.clientId');
    expect(Object.keys(probed)).not.toContain('classifierUpdate.options');
    await expectNothingLost(team);
    const created = team.service.ledger().length;
    expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
    expect(team.service.ledger()).toHaveLength(created);
    expect((await environmentOf(team)).profile).toEqual(truthOf({}));
  });

  test.each<[string, Fate, string]>([
    ['wrong credentials', { status: 401, body: '{}' }, '401 Unauthorized'],
    ['another team', answeredWith({ teamId: 'team_8' }), 'team team_8'],
  ])('stops at the first request because of %s', async (_, fate, says) => {
    await using team = await probing();
    team.gateway.decide = () => fate;
    const stopped = await team.run('probe --yes --new-environment');
    expect(stopped.stdout.replaceAll(/\s+/g, ' ')).toContain(says);
    expect(stopped.code).not.toBe(0);
    expect(writes(team)).toBe(1);
    expect(await team.project.read(file)).not.toContain('probed');
  });

  test('finds nothing in requests whose credentials have expired', async () => {
    await using team = await probing();
    team.gateway.decide = (_, index) => (index >= 3 ? { status: 403, body: '{}' } : 'pass');
    expect(await team.run('probe --yes --new-environment')).toMatchObject({ code: 1 });
    const { probed } = await environmentOf(team);
    expect(Object.keys(probed).sort()).toEqual(['itemCreate.clientId', 'itemUpdate.omittedThumbnail']);
  });

  const isUnknown = ({ method, body }: Exchange) => method === 'PUT' && /unknown id/.test(String(body.name));

  test('finds that an update creates if that returns a record with another ID', async () => {
    await using team = await probing(attributes, { 'update.unknownId': 'created' });
    team.gateway.decide = (exchange) => (isUnknown(exchange) ? answeredWith({ id: 'own-1' }) : 'pass');
    const probed = await team.run('probe --yes --new-environment');
    expect(probed).toMatchObject({ code: 0, stdout: expect.stringMatching(/trove-probe-none +id own-1/) });
    expect((await environmentOf(team)).profile['update.unknownId']).toBe('created');
    expect((await team.recorded()).retired.map(({ id }) => id)).toContain('own-1');
    expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
    expect(team.gateway.exchanges.filter(isUnknown)).toHaveLength(1);
  });

  test("waits for `trove resolve` if an update returns somebody else's record", async () => {
    await using team = await probing();
    const record = { id: 'own-1', name: 'Torch', thumbnail: null, rollNumerator: 1, createdAt: 'x' };
    const body = JSON.stringify({
      ...record,
      updatedAt: null,
      teamId: 'team_7',
      classifiers: [],
      attributes: [],
    });
    team.gateway.decide = (exchange) => (isUnknown(exchange) ? { status: 200, body } : 'pass');
    for (const args of ['probe --yes --new-environment', 'probe --yes']) {
      const stdout = expect.stringContaining('trove resolve item.trove-probe-none -e staging --id ID');
      expect(await team.run(args)).toMatchObject({ code: 4, stdout });
    }
    expect((await team.recorded()).pending).toMatchObject([{ answer: { id: 'own-1' } }]);
    expect(team.gateway.exchanges.filter(isUnknown)).toHaveLength(1);
    expect(await team.run('resolve item.trove-probe-none --not-created')).toMatchObject({ code: 0 });
    team.gateway.decide = () => 'pass';
    expect(await team.run('probe --yes')).toMatchObject({ code: 0 });
    await expectNothingLost(team);
  });

  test('leaves the profile as it is if responses contradict each other', async () => {
    await using team = await probing(`${attributes}profile: { itemUpdate.attributes: merge }\n`);
    const odd = answeredWith({ attributes: [], thumbnail: 'something else', classifiers: [] });
    team.gateway.decide = ({ method, path }) =>
      method === 'PUT' && path.startsWith('/items') ? odd : 'pass';
    const probed = await team.run('probe --yes --new-environment');
    expect(probed.code).toBe(0);
    expect(probed.stdout).toMatch(/itemUpdate\.omittedThumbnail +inconclusive: /);
    const environment = await environmentOf(team);
    expect(environment.profile['itemUpdate.attributes']).toBe('merge');
    expect(environment.profile['itemUpdate.omittedThumbnail']).toBe('unknown');
    expect(environment.profile['itemCreate.existingId']).toBe('unknown');
    expect(environment.probed['itemUpdate.attributes']?.value).toBe('could-not-tell');
    await expectNothingLost(team);
  });

  const isSecondCreate = ({ method, path }: Exchange, index: number) =>
    method === 'POST' && path === '/items' && index > 1;

  test.each<[string, string, (exchange: Exchange, index: number) => Fate | undefined]>([
    [
      'an existing ID creates another record',
      'itemCreate.existingId',
      (...about) => (isSecondCreate(...about) ? answeredWith({ id: 'new' }) : undefined),
    ],
    [
      'a gateway responds for the service',
      'itemCreate.existingId',
      (...about) => (isSecondCreate(...about) ? { status: 503, body: '{}' } : undefined),
    ],
    [
      'an empty object removes nothing',
      'itemUpdate.assignments',
      ({ body }) =>
        JSON.stringify(body.classifierOptionIds) === '{}'
          ? answeredWith({ classifiers: [assignment] })
          : undefined,
    ],
    [
      'options get new IDs',
      'classifierUpdate.options',
      ({ method, body }) => (method === 'PUT' && body.classifierOptions ? renumbered : undefined),
    ],
  ])('leaves only one point inconclusive if %s', async (_, point, decide) => {
    const dialect = {
      'itemCreate.existingId': 'overwritten',
      'classifierUpdate.options': 'replaced',
    } as const;
    await using team = await probing(attributes, dialect);
    team.gateway.decide = (...about) => decide(...about) ?? 'pass';
    expect(await team.run('probe --yes --new-environment')).toMatchObject({ code: 0 });
    const { probed } = await environmentOf(team);
    const told = Object.entries(probed).map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(told)).toEqual({ ...truthOf(dialect), [point]: 'could-not-tell' });
    const { live, retired, pending } = recorded(await team.project.state(statePath));
    expect([live, pending]).toEqual([{}, []]);
    const answered = team.gateway.exchanges.flatMap(({ answer }) => (answer?.id ? [answer.id] : []));
    expect(retired.map(({ id }) => id)).toEqual(expect.arrayContaining([...new Set(answered)]));
  });
});

const assignment = {
  classifierId: 'c',
  classifierOption: { id: 'o', name: 'O', dropRateMultiplier: 1, classifierId: 'c' },
};

function answeredWith(fields: object): Fate {
  return { rewrite: (answer) => ({ ...answer, ...fields }) };
}

/** A response with new option IDs. */
const renumbered: Fate = {
  rewrite: ({ classifierOptions, ...answer }) => ({
    ...answer,
    classifierOptions: (classifierOptions as { id: string }[]).map((each) => ({
      ...each,
      id: `${each.id}-new`,
    })),
  }),
};
