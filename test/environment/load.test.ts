import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import catalogSchema from '../../schemas/catalog.schema.json' with { type: 'json' };
import environmentSchema from '../../schemas/environment.schema.json' with { type: 'json' };
import { embeddedProfile, unknownProfile } from '../../src/contract/profile.ts';
import { readCredentials } from '../../src/environment/credentials.ts';
import { uuid5 } from '../../src/environment/defaults.ts';
import { environmentNames } from '../../src/environment/find.ts';
import { attributeId } from '../../src/environment/join-inputs.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import type { Environment } from '../../src/environment/model.ts';
import { folderWith, problemsIn, shown } from '../catalog/folder.ts';
import { inWords } from '../rig/in-words.ts';
import { textCases } from '../rig/text-cases.ts';

const remote = 'baseUrl: https://game.example/api\nteamId: team_7\n';

async function load(text: string | Buffer | undefined, name = 'staging') {
  const files =
    text === undefined ? { 'catalog/a.yaml': '' } : { [`catalog/environments/${name}.yaml`]: text };
  const cwd = await folderWith(files);
  return { cwd, result: await loadEnvironment(name, { catalogFolder: 'catalog', cwd }) };
}

async function valid(text: string | undefined, name?: string): Promise<Environment & { cwd: string }> {
  const { result, cwd } = await load(text, name);
  if (!result.ok) throw new Error(shown(result));
  return { ...result.value, cwd };
}

describe('an environment', () => {
  test('has a default for every optional setting', async () => {
    const { cwd, document, ...environment } = await valid(remote);
    expect(document?.source.path).toBe('catalog/environments/staging.yaml');
    expect(environment).toEqual({
      name: 'staging',
      service: { kind: 'remote', baseUrl: 'https://game.example/api' },
      teamId: 'team_7',
      idNamespace: uuid5('6ba7b811-9dad-11d1-80b4-00c04fd430c8', 'https://game.example/api#team_7'),
      credentials: { usernameFrom: 'TROVE_USERNAME', passwordFrom: 'TROVE_PASSWORD' },
      attributes: new Map(),
      profile: unknownProfile,
      probed: {},
      catalogFolder: join(cwd, 'catalog'),
      state: { kind: 'file', path: join(cwd, 'catalog/state/staging.json') },
      dataFolder: join(cwd, 'catalog/.trove/staging'),
      database: join(cwd, 'catalog/.trove/staging/service.db'),
      newestVersionPath: join(cwd, 'catalog/.trove/staging.newest.json'),
      limits: {},
      allowInsecureHttp: false,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  test('can have its state on a git branch', async () => {
    const { state } = await valid(`${remote}state: { backend: git }\n`);
    const named = { kind: 'git', remote: 'origin', branch: 'trove-state-staging', file: 'staging.json' };
    expect(state).toEqual({ ...named, path: 'origin/trove-state-staging:staging.json' });
    const other = await valid(`${remote}state: { backend: git, remote: up, branch: game/states }\n`);
    expect(other.state).toMatchObject({
      remote: 'up',
      branch: 'game/states',
      path: 'up/game/states:staging.json',
    });
  });

  test('takes every setting from its file', async () => {
    const environment = await valid(`baseUrl: http://localhost:8080/v1/api/
teamId: team_7
userId: user_1
idNamespace: 6F1C1C0E-5c1e-4c1a-9b1e-0d9f3c2b7a11
credentials: { usernameFrom: STAGING_USERNAME, passwordFrom: STAGING_PASSWORD }
attributes: { damage: attr_01 }
profile: { itemUpdate.classifierOptionIds: by-option }
state: { backend: file, path: elsewhere/x.json }
limits: { maxCreates: 500, maxUpdates: 0 }
`);
    expect(environment).toMatchObject({
      service: { kind: 'remote', baseUrl: 'http://localhost:8080/v1/api' },
      userId: 'user_1',
      idNamespace: '6f1c1c0e-5c1e-4c1a-9b1e-0d9f3c2b7a11',
      credentials: { usernameFrom: 'STAGING_USERNAME', passwordFrom: 'STAGING_PASSWORD' },
      profile: { ...unknownProfile, 'itemUpdate.classifierOptionIds': 'by-option' },
      state: { path: join(environment.cwd, 'catalog/elsewhere/x.json') },
      limits: { maxCreates: 500, maxUpdates: 0 },
    });
    expect(attributeId(environment, 'damage')).toBe('attr_01');
    expect(attributeId(environment, 'speed')).toBeUndefined();
  });

  test('named local needs no file', async () => {
    const { cwd, document, ...local } = await valid(undefined, 'local');
    expect(document).toBe(undefined);
    expect(local).toMatchObject({
      service: { kind: 'embedded' },
      teamId: 'team_local',
      userId: 'user_local',
      profile: embeddedProfile,
      state: { path: join(cwd, 'catalog/.trove/local.state.json') },
      dataFolder: join(cwd, 'catalog/.trove'),
    });
    expect(attributeId(local, 'damage')).toBe('damage');
  });

  test('named local can have a file', async () => {
    const settings = 'attributes: { damage: attr_1 }\nprofile: { update.unknownId: created }\n';
    const local = await valid(`service: embedded\nteamId: mine\n${settings}`, 'local');
    expect([local.teamId, local.profile['update.unknownId']]).toEqual(['mine', 'created']);
    expect([attributeId(local, 'damage'), attributeId(local, 'speed')]).toEqual(['attr_1', 'speed']);
  });

  test('has another namespace for another team or base URL', async () => {
    const namespaceOf = async (from: string, to: string) =>
      (await valid(remote.replace(from, to))).idNamespace;
    const namespace = await namespaceOf('', '');
    expect(await namespaceOf('team_7', 'team_8')).not.toBe(namespace);
    expect(await namespaceOf('game', 'play')).not.toBe(namespace);
    expect(await namespaceOf('/api', '/api/')).toBe(namespace);
  });
});

describe('an environment file', () => {
  const wrong = `
== no content
-> staging.yaml:1:1 wrong-type
== no service
teamId: a
-> staging.yaml:1:1 one-service baseUrl service: embedded
== no team
baseUrl: https://game.example/api
-> staging.yaml:1:1 missing-property baseUrl teamId
== two services
${remote}service: embedded
-> staging.yaml:3:1 one-service baseUrl service baseUrl service: embedded
== unknown properties
${remote}overides: {}
only_: []
teemId: x
-> staging.yaml:3:1 unknown-property overides overrides
-> staging.yaml:4:1 unknown-property only_ only
-> staging.yaml:5:1 unknown-property teemId teamId
== an invalid profile
${remote}profile: { itemUpdate.assignments: replaced, itemUpdate.assignment: merge }
-> staging.yaml:3:36 invalid-value replaced itemUpdate.assignments unknown replace merge replace
-> staging.yaml:3:46 unknown-property itemUpdate.assignment itemUpdate.assignments
== invalid credentials
${remote}credentials: { username: me }
-> staging.yaml:3:16 unknown-property username usernameFrom passwordFrom
== an invalid variable name
${remote}credentials: { usernameFrom: "my name" }
-> staging.yaml:3:30 invalid-value … usernameFrom
== a variable in an ID
baseUrl: https://game.example/api
teamId: \${TROVE_VAR_TEAM}
-> staging.yaml:2:9 invalid-value … teamId
== an invalid namespace
${remote}idNamespace: abc
-> staging.yaml:3:14 invalid-value … idNamespace
== invalid limits
${remote}limits: { maxCreates: -1, maxUpdates: 1.5 }
-> staging.yaml:3:23 invalid-value maxCreates
-> staging.yaml:3:39 wrong-type maxUpdates
== several mistakes
${remote}attributes: { damage: 12 }
state: { backend: swift, path: ../x.json }
-> staging.yaml:3:23 wrong-type …
-> staging.yaml:4:19 invalid-value … backend file git gitlab http postgres s3
-> staging.yaml:4:32 state-path state.path
== a setting of another backend
${remote}state: { branch: states }
-> staging.yaml:3:10 state-setting state.branch state.backend
== a bucket without a name
${remote}state: { backend: s3, key: a.json }
-> staging.yaml:3:8 state-bucket-missing state.bucket
== a setting of no backend
${remote}state: { backend: s3, bucket: states, dynamodb_table: locks }
-> staging.yaml:3:39 unknown-property … backend path remote branch address project name bucket key region endpoint pathStyle urlFrom schema
== a path on a branch
${remote}state: { backend: git, path: state/x.json }
-> staging.yaml:3:24 state-setting state.path state.backend
== a remote that could be a command
${remote}state: { backend: git, remote: "ext::sh -c id" }
-> staging.yaml:3:32 invalid-value … remote
== a branch that could be an option
${remote}state: { backend: git, branch: --force }
-> staging.yaml:3:32 invalid-value … branch
`;
  test.each(textCases(wrong))('is refused for $name', async ({ text, problems }) => {
    expect(problemsIn(shown((await load(text)).result))).toEqual(problems);
  });

  test.each([
    ['game.example/api', 'not-http'],
    ['ftp://game.example/api', 'not-http'],
    ['https://me:hunter2@game.example/api', 'credentials'],
    ['https://game.example/api?x=1', 'query'],
    ['https://game.example/api#', 'query'],
    ['https://game.example/v1', 'path'],
    ['https://game.example/myapi', 'path'],
    ['http://game.example/api', 'plain-http'],
    ['http://127.0.0.1.evil.example/api', 'plain-http'],
  ])('is refused for the base URL %s', async (url, why) => {
    const { result } = await load(`baseUrl: "${url}"\nteamId: a\n`);
    expect(result).toMatchObject({ diagnostics: [{ rule: 'base-url', values: { why } }] });
    if (why === 'plain-http') await valid(`baseUrl: ${url}\nteamId: a\nallowInsecureHttp: true\n`);
  });

  test.each([
    'credentials: { passwordFrom: hunter2 }',
    'credentials: { passwordFrom: "hunter2!" }',
    'credentials: { usernameFrom: hunter2 }',
    'credentials:\n  usernameFrom: hunter2-',
    'credentials:\n  passwordFrom:\n    hunter2-',
    'credentials:\n  passwordFrom: [hunter2]',
    'credentials:\n  - hunter2',
    'credentials: hunter2',
    'credentials: { passwordFrom: 9007199254740993 }',
    'credentials: { passwordFrom: 90071.99254 }',
    'credentials:\n  hunter2: ME',
    'credentials:\n  passwordFrom: hunter2: 1',
    'credentials:\n  passwordFrom: "hunter2',
    'credentials:\n  passwordFrom: !hunter2 X',
    'credentials:\n  passwordFrom: *hunter2',
    'credentials:\n  usernameFrom: A\n  usernameFrom: hunter2',
    'baseUrl: https://me:hunter2@game.example/api',
    'password: hunter2',
    // Under any name, known or not.
    'pwd: hunter2',
    'hunter2: password',
    'headers: { Authorization: Basic hunter2 }',
    'login: [bob, hunter2]',
    'state: { backend: file, auth: hunter2 }',
    'probed: { auth: hunter2 }',
    'limits: { maxCreates: hunter2 }',
    'profile: { itemUpdate.assignments: hunter2 }',
    'overrides: { items: { axe: { password: hunter2 } } }',
    'only: [Hunter2 hunter2]',
    'region: eu # hunter2',
    '"pass\\u0077ord": hunter2',
    // After a line break, and in a place that may belong to anything.
    'password: >\nhunter2\nfoo: 1',
    'password:\nhunter2',
    'password: "abc\nhunter2"',
    'password: |hunter2',
    '? credentials\n: pw: hunter2',
    // Through an alias, a tag, an escape, a quote of messages.
    'zz: &s hunter2\ncredentials: { passwordFrom: *s }',
    'limits: *hunter2',
    'limits: !hunter2^ 1',
    'limits: !hunter2!x 1',
    'credentials: { passwordFrom: "`a`hunter2`b`" }',
    // URLs of any form.
    ...[
      'https:/bob:hunter2@host/api2',
      'https:\\\\bob:hunter2@host\\api',
      '"https:\\/\\/bob:hunter2@host/apx"',
      '"https://bob:hunter2 x@host/api"',
      'https://bob:hunter2/x@host/api',
      'bob:hunter2@host/api',
      'https://bob:hunter2%40host/api',
      'https://host/api?key=hunter2',
    ].map((url) => `baseUrl: ${url}`),
  ])('never has a misplaced secret shown: %j', async (text) => {
    const { result } = await load(text.startsWith('baseUrl') ? `${text}\nteamId: a\n` : `${remote}${text}\n`);
    expect(result.ok).toBe(false);
    const words = result.ok || inWords(result.diagnostics).map(({ message, hint }) => [message, hint]);
    expect(`${shown(result)}${JSON.stringify(words)}`).not.toMatch(/hunter2|90071/);
  });

  test('never has a line shown that is not UTF-8', async () => {
    const { result } = await load(Buffer.from(`${remote}password: hunter2\xe4\n`, 'latin1'));
    expect(shown(result)).toContain('staging.yaml:3:18');
    expect(shown(result)).not.toContain('hunter2');
  });

  test.each(
    'http://localhost/api http://127.0.0.1:1/api http://[::1]:80/api https://game.example/a/b/api//'.split(
      ' ',
    ),
  )('can have the base URL %s', async (url) => {
    await valid(`baseUrl: "${url}"\nteamId: a\n`);
  });

  test.each([
    '../x.json',
    '/tmp/x.json',
    'state/../../x.json',
    '.',
    'items.yaml',
    'a\\0.json',
    'a\\n.json',
    '.trove/x.json',
  ])('is refused for the state path %s', async (path) => {
    const { result } = await load(`${remote}state: { path: "${path}" }\n`);
    expect(result.ok ? [] : result.diagnostics.map(({ rule }) => rule)).toEqual(['state-path']);
  });
});

test('a state is refused if a link leads it into .trove', async () => {
  const cwd = await folderWith({ 'catalog/environments/staging.yaml': remote, 'catalog/.trove/x': '' });
  await symlink('.trove', join(cwd, 'catalog/state'));
  const result = await loadEnvironment('staging', { catalogFolder: 'catalog', cwd });
  expect(result.ok ? [] : result.diagnostics.map(({ rule }) => rule)).toEqual(['state-path']);
});

test('a file that repeats a long text by an anchor still has its problems reported', async () => {
  const texts = `bogus:\n- &s "${'A'.repeat(100_000)}"\n${'- *s\n'.repeat(8000)}`;
  const { result } = await load(`${remote}${texts}`);
  expect(result.ok ? [] : result.diagnostics.map(({ rule }) => rule)).toEqual(['unknown-property']);
});

describe('a search for an environment', () => {
  test('suggests an existing name, and stays inside the catalog', async () => {
    const cwd = await folderWith({
      'catalog/environments/staging.yaml': remote,
      'catalog/environments/prod.yaml': remote,
    });
    const find = async (name: string) =>
      problemsIn(shown(await loadEnvironment(name, { catalogFolder: 'catalog', cwd })));
    expect(await find('stagin')).toEqual(['unknown-environment stagin staging']);
    expect(await find('../environments/prod')).toEqual(['environment-name ../environments/prod']);
    await symlink(join(cwd, 'catalog/environments/prod.yaml'), join(cwd, 'catalog/environments/link.yaml'));
    expect(await find('link')).toEqual([]);
    await symlink('/dev/null', join(cwd, 'catalog/environments/out.yaml'));
    expect(await find('out')).toEqual([expect.stringContaining('link-outside')]);
  });

  test('never takes an unreadable file for a missing one', async () => {
    const find = async (cwd: string) => {
      const result = await loadEnvironment('local', { catalogFolder: 'catalog', cwd });
      return result.ok ? [] : result.diagnostics.map(({ rule }) => rule);
    };
    const broken = await folderWith({ 'catalog/environments/qa.yaml': remote });
    await symlink('missing.yaml', join(broken, 'catalog/environments/local.yaml'));
    expect(await find(broken)).toEqual(['unreadable']);
    expect(await find(await folderWith({ 'catalog/environments': '' }))).toEqual(['unreadable']);
    const linked = await folderWith({ 'catalog/a.yaml': '', 'outside/qa.yaml': remote });
    await symlink('../outside', join(linked, 'catalog/environments'));
    expect(await find(linked)).toEqual(['link-outside']);
    expect(await environmentNames(join(linked, 'catalog'))).toEqual(['local']);
  });
});

describe('credentials', () => {
  test.each([
    [{}, ['TROVE_USERNAME is not set', 'TROVE_PASSWORD is not set']],
    [{ TROVE_USERNAME: 'a:b', TROVE_PASSWORD: 'hunter2' }, ['TROVE_USERNAME contains a colon']],
    [{ TROVE_USERNAME: 'a'.repeat(513), TROVE_PASSWORD: 'x' }, ['TROVE_USERNAME contains more than 512']],
    [
      { TROVE_USERNAME: 'a', TROVE_PASSWORD: 'hunter2'.repeat(74) },
      ['TROVE_PASSWORD contains more than 512'],
    ],
    [{ TROVE_USERNAME: 'a', TROVE_PASSWORD: 'hunter2\n' }, ['TROVE_PASSWORD contains a control character']],
  ])('are refused if the variables are %j', async (variables, reasons) => {
    const result = readCredentials(await valid(remote), variables);
    if (result.ok) throw new Error('Not refused');
    expect(inWords(result.diagnostics).map(({ message }) => message)).toEqual(
      reasons.map((words) => expect.stringContaining(words)),
    );
    expect(shown(result)).not.toContain('hunter2');
  });

  test('come from the named variables', async () => {
    const environment = await valid(`${remote}credentials: { usernameFrom: A, passwordFrom: B }\n`);
    const result = readCredentials(environment, { A: 'me', B: 'p:w ü', TROVE_USERNAME: 'no' });
    expect(result).toMatchObject({ ok: true, value: { username: 'me', password: 'p:w ü' } });
  });
});

test.each([
  ['itemUpdate.clearThumbnail', 'put `null` in quotes: "null"'],
  ['itemCreate.clientId', undefined],
])('null as the value of %s is a missing value', async (name, hint) => {
  const { result } = await load(`${remote}profile: { ${name}: null }\n`);
  const told = result.ok ? [] : inWords(result.diagnostics).map((each) => [each.message, each.hint]);
  expect(told).toEqual([[expect.stringContaining(`missing value for \`${name}\``), hint]]);
});

test('nothing is assumed of a service by default', () => {
  expect(unknownProfile).toEqual({
    'itemUpdate.classifierOptionIds': 'unsupported',
    'itemUpdate.assignments': 'unknown',
    'itemUpdate.attributes': 'unknown',
    'itemUpdate.omittedThumbnail': 'unknown',
    'itemUpdate.clearThumbnail': 'unsupported',
    'itemCreate.clientId': 'unknown',
    'itemCreate.existingId': 'unknown',
    'update.unknownId': 'unknown',
    'classifierUpdate.options': 'unsupported',
  });
  const schema = JSON.parse(readFileSync('schemas/environment.schema.json', 'utf8'));
  expect(schema.properties.probed.propertyNames.enum).toEqual(Object.keys(unknownProfile));
});

test('version 5 UUIDs match RFC 9562, appendix A.4', () => {
  expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
  expect(() => uuid5('6ba7b810', 'x')).toThrow('Not a UUID');
});

test('every list of unique entries in a schema contains texts, which compare fast', () => {
  const lists: unknown[] = [];
  for (const schema of [environmentSchema, catalogSchema])
    JSON.stringify(schema, (_, value) => {
      if (value?.uniqueItems === true) lists.push(value.items?.type);
      return value;
    });
  expect(new Set(lists)).toEqual(new Set(['string']));
});
