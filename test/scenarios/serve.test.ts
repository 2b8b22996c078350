import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import Database from 'libsql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { designer, rawRequest, world } from '../rig/embedded-service.ts';
import {
  createProject,
  expectRefused,
  type Finished,
  finished,
  type Project,
  unwrapped,
} from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

const sword = { id: 'sword', name: 'Sword', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly end: Promise<Finished>;
}

/** A folder with a world file and others. */
async function folderWith(files: Readonly<Record<string, unknown>> = {}): Promise<Project> {
  const texts = Object.entries({ 'world.json': world, ...files }).map(([path, value]) => [
    path,
    typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
  ]);
  const project = await createProject(Object.fromEntries(texts));
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

/** `trove serve` in this folder, once it printed its line. Fails with its output if it ends before that. */
async function serve(project: Project, args = ''): Promise<Served> {
  const child = project.start(`serve --db data/items.db --world world.json ${args}`.trim());
  onTestFinished(() => void child.kill('SIGKILL'));
  const end = finished(child);
  const early = end.then(({ stderr }) => Promise.reject(new Error(stderr)));
  early.catch(() => {});
  if (child.stdout === null) throw new Error('stdout is not piped');
  const [line] = await Promise.race([once(child.stdout, 'data'), early]);
  const url = /^Listening on (http:\S+)\nPage for a browser: http:\S+\n$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`not the line that was expected: ${line}`);
  return { child, url, end };
}

function post(url: string, body: object): Promise<Response> {
  const headers = { authorization: designer, 'content-type': 'application/json' };
  return fetch(`${url}/items`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Sends a create up to its body, and continues once the service asks for the rest: then it is in progress. */
async function halfPost(url: string, body: string) {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  const headers = { Authorization: designer, Expect: '100-continue', Connection: 'keep-alive' };
  const bytes = rawRequest('POST', '/api/items', body, headers);
  socket.write(bytes.slice(0, -body.length));
  expect(String(await once(socket, 'data'))).toContain('100 Continue');
  const rest = async () => {
    const answer = once(socket, 'data');
    const closed = once(socket, 'close');
    socket.write(body);
    const text = String((await answer)[0]);
    await closed;
    return text;
  };
  return { rest };
}

describe('stopping the service', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'with %s finishes open requests, closes the database and exits with 0',
    async (signal) => {
      const project = await folderWith();
      const { child, url, end } = await serve(project);
      const half = await halfPost(url, JSON.stringify(sword));
      child.kill(signal);
      await expect.poll(() => post(url, {}).catch(() => 'refused')).toBe('refused');
      const answer = await half.rest();
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
      expect(answer).toMatch(/^connection: close$/im);
      expect(await end).toEqual({
        code: 0,
        stdout: `Listening on ${url}\nPage for a browser: ${url.replace(/api$/, '')}\n`,
        stderr: '',
      });
      expect(await readdir(join(project.folder, 'data'))).toEqual(['items.db']);

      const again = await serve(project);
      expect((await post(again.url, sword)).status).toBe(409);
    },
  );
});

describe('starting the service', () => {
  test('on a database in use is refused, and the first process continues', async () => {
    const project = await folderWith();
    const { url } = await serve(project);
    expectRefused(
      await project.run('serve --db data/items.db --world world.json'),
      "data/items.db can't be opened: it is in use by another process.",
    );
    expect((await post(url, sword)).status).toBe(200);
  });

  test.each(['0.0.0.0', '::', '10.1.2.3', 'game.example', '127.0.0.1.game.example'])(
    'on %s is refused without --allow-remote',
    async (host) => {
      const project = await folderWith();
      const refused = await project.run(`serve --db data/items.db --host ${host}`);
      expectRefused(refused, `${host} is reachable from other machines`, '--allow-remote');
      expect(await readdir(project.folder)).toEqual(['world.json']);
    },
  );

  test('works on all addresses with --allow-remote, and on loopback addresses without it', async () => {
    const project = await folderWith();
    const { child, url, end } = await serve(project, '--host 0.0.0.0 --allow-remote');
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/api$/);
    child.kill('SIGTERM');
    await end;
    expect((await serve(project, '--host localhost')).url).toMatch(
      /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/api$/,
    );
  });

  test.each([
    ['taken/items.db', 'a file or folder with this name exists'],
    ['taken/below/items.db', 'a part of the path is not a folder'],
    ['folder', 'it is a folder'],
    ['taken', 'it is not a database of this service'],
  ])('with --db %s is refused: %s', async (database, reason) => {
    const project = await folderWith({ taken: 'text '.repeat(200), 'folder/file': '' });
    expectRefused(await project.run(`serve --db ${database}`), reason);
    expect(await project.read('taken')).toBe('text '.repeat(200));
  });

  test('on a port in use names the port', async () => {
    const project = await folderWith();
    const { port } = new URL((await serve(project)).url);
    expectRefused(
      await project.run(`serve --db other/items.db --port ${port}`),
      `error: 127.0.0.1:${port} is in use by another program`,
      'choose another port with --port (0 picks a free one), or stop',
    );
    // And the other database was closed again.
    expect(await readdir(join(project.folder, 'other'))).toEqual(['items.db']);
  });
});

describe('serve --local', () => {
  test('shows applied records at one URL, and locks its database while it runs', async () => {
    await using project = await createProject(smallCatalog);
    expectRefused(await project.run('serve --local'), 'no data yet', 'create it first: trove apply');
    expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
    const child = project.start('serve --local');
    onTestFinished(() => void child.kill('SIGKILL'));
    const end = finished(child);
    const [line] = await once(child.stdout as Readable, 'data');
    const { origin, username, password } = new URL(/http:\/\/\S+/.exec(String(line))?.[0] ?? '');
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const page = await fetch(origin, { headers: { authorization } });
    expect(await page.text()).toContain('Iron Sword');
    expect((await fetch(origin)).status).toBe(401);

    await project.edit('catalog/game.yaml', 'name: Torch', 'name: Lamp');
    expect(unwrapped((await project.run('apply --yes')).stderr)).toContain('stop trove serve --local');
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 0, stdout: String(line) });
    expect(await project.run('apply --yes')).toMatchObject({ code: 0 });
  });

  test('needs an environment with the embedded service, and refuses remote access', async () => {
    const staging = { 'catalog/environments/staging.yaml': 'baseUrl: https://game.example/api\nteamId: t\n' };
    await using project = await createProject({ ...smallCatalog, ...staging });
    expectRefused(await project.run('serve --local -e staging'), 'staging does not use the embedded service');
    expect((await project.run('serve --local --seed 5')).stderr).toContain(
      "cannot be used with option '--seed",
    );
    expect((await project.run('serve --local --host 0.0.0.0 --allow-remote')).stderr).toContain(
      "'--local' cannot be used with",
    );
  });
});

test('serve follows a dialect file', async () => {
  const project = await folderWith({ 'dialect.yaml': 'successStatus: 201-on-create\ntimestamps: sql\n' });
  const response = await post((await serve(project, '--dialect dialect.yaml --seed 3')).url, sword);
  const { createdAt } = (await response.json()) as { readonly createdAt: string };
  expect([response.status, createdAt]).toEqual([201, expect.stringMatching(/^[\d-]{10} [\d:]{8}$/)]);
});

test('serve follows a faults file', async () => {
  const faults = {
    rules: [{ operations: ['createItem'], times: 1, fault: { kind: 'status', status: 503, retryAfter: 2 } }],
  };
  const { url } = await serve(await folderWith({ 'faults.json': faults }), '--faults faults.json');
  const first = await post(url, sword);
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await post(url, sword)).status).toBe(200);
});

test('serve writes no password of the world file to a file or its output', async () => {
  const project = await folderWith();
  const { child, url, end } = await serve(project);
  await post(url, sword);
  await post(url, { password: 'correct horse' });
  child.kill('SIGTERM');
  const { stdout, stderr } = await end;
  expect(stdout + stderr).not.toContain('correct horse');
  expect((await readFile(join(project.folder, 'data/items.db'))).includes('correct horse')).toBe(false);
});

const secret = '"password": "correct horse"';
test.each([
  [
    'with a misspelled property',
    `{ "users": [{ "id": "u", "usrname": "ada", ${secret}, "teamId": 7 }] }`,
    '`usrname`',
  ],
  ['that is not YAML', `{ "users": [{ "id": "u", ${secret} "teamId": "t" }] }`, 'world.json:1:'],
  [
    'with an unknown team',
    `{ "users": [{ "id": "u", "username": "a", ${secret}, "teamId": "t" }] }`,
    'users[0].teamId',
  ],
])('an error about a world file %s contains no password', async (_, text, said) => {
  const project = await folderWith({ 'world.json': text });
  const { code, stdout, stderr } = await project.run('serve --db data/items.db --world world.json');
  expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  expect(stdout + stderr).not.toMatch(/correct|\\n/);
});

test.each([
  ['serve --port 0 --db items.db', 'items.db'],
  ['apply --yes', 'catalog/.trove/service.db'],
])('%s refuses the database of a newer version and leaves it unchanged', async (args, path) => {
  await using project = await createProject(smallCatalog);
  await project.write(path, '');
  const file = join(project.folder, path);
  inDatabase(file, (db) => db.exec('PRAGMA user_version = 99; CREATE TABLE later (x)'));
  const refused = await project.run(args);
  expect(refused.code).toBe(1);
  for (const said of ['the database has format 99', 'use the newer version that wrote it'])
    expect(unwrapped(refused.stderr)).toContain(said);
  expect(refused.stderr).not.toMatch(/^ +at /m);
  const version = inDatabase(file, (db) => db.prepare('PRAGMA user_version').raw().get());
  const tables = inDatabase(file, (db) => db.prepare('SELECT name FROM sqlite_schema').raw().all());
  expect([version, tables]).toEqual([[99], [['later']]]);
});

function inDatabase<Result>(file: string, work: (db: Database.Database) => Result): Result {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
