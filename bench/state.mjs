// What a shared state costs: every team of a catalog is applied by each of several runners at once, each runner a process
// per apply and a clone of its own. Build first. node bench/state.mjs [teams] [runners]
// With BENCH_STATE_URL, the URL of an empty PostgreSQL database, that is measured too.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'libsql';

const [teams, runners] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 4)];
const ITEMS = 29;
const PORT = 8793;
const cli = resolve('dist/cli.js');
const names = Array.from({ length: teams }, (_, index) => `team-${String(index + 1).padStart(3, '0')}`);
const url = process.env.BENCH_STATE_URL;
const env = { ...process.env, ...(url && { TROVE_STATE_URL: url }), PASSWORD: 'let-me-in-please' };
for (const name of names) env[variable(name)] = name;

for (const backend of ['git', ...(url ? ['postgres'] : [])]) await measure(backend);

async function measure(backend) {
  const folder = mkdtempSync(join(tmpdir(), 'trove-bench-'));
  writeProject(folder, backend);
  const service = await serve(folder);
  const clones = Array.from({ length: runners }, (_, index) => {
    git(folder, 'clone', '--quiet', '--depth=1', `file://${folder}/remote.git`, `runner-${index}`);
    return join(folder, `runner-${index}`);
  });
  const found = { applied: 0, locked: 0 };
  const start = performance.now();
  try {
    await Promise.all(clones.map((clone) => applyAll(clone, found)));
  } finally {
    service.kill();
    await once(service, 'exit');
  }
  const seconds = (performance.now() - start) / 1000;
  const database = new Database(join(folder, 'service.db'), { readonly: true });
  const { made } = database.prepare('SELECT count(*) AS made FROM items').get();
  const { kinds } = database.prepare('SELECT count(*) AS kinds FROM classifiers').get();
  database.close();
  rmSync(folder, { recursive: true });
  const expected = teams * (ITEMS + 1);
  if (made + kinds !== expected) throw new Error(`${made + kinds} records instead of ${expected}`);
  process.stdout.write(
    `${backend}: ${teams} teams, ${expected} creates by ${runners} runners in ${seconds.toFixed(1)} s, ` +
      `${found.applied} applies, ${found.locked} waited for a lock; every record was created once\n`,
  );
}

/** All begin with the same teams, and come back to those that another one has at that moment. */
async function applyAll(clone, found) {
  const left = [...names];
  while (left.length > 0) {
    const name = left.shift();
    const args = ['apply', '-e', name, '--yes', '--quiet', '--new-environment'];
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: clone,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, 'exit');
    if (code === 0) found.applied += 1;
    else if (code === 5) {
      found.locked += 1;
      left.push(name);
    } else throw new Error(`${name} left with ${code}: ${said}`);
  }
}

function writeProject(folder, backend) {
  const environments = join(folder, 'catalog/environments');
  mkdirSync(environments, { recursive: true });
  const items = Array.from(
    { length: ITEMS },
    (_, index) =>
      `  item-${index}: { name: Item ${index}, rollNumerator: ${index + 1}, classifiers: { kind: one } }\n`,
  );
  const kinds =
    'classifiers:\n  kind: { name: Kind, options: { one: { name: One, dropRateMultiplier: 1 } } }\n';
  writeFileSync(join(folder, 'catalog/game.yaml'), `${kinds}items:\n${items.join('')}`);
  for (const name of names)
    writeFileSync(
      join(environments, `${name}.yaml`),
      `baseUrl: http://127.0.0.1:${PORT}/api\nteamId: ${name}\nstate: { backend: ${backend} }\n` +
        `credentials: { usernameFrom: ${variable(name)}, passwordFrom: PASSWORD }\n`,
    );
  const world = {
    teams: names.map((id) => ({ id, name: id })),
    users: names.map((id) => ({ id: `user-${id}`, username: id, password: env.PASSWORD, teamId: id })),
  };
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world));
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', 'remote.git');
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', 'catalog');
  git(
    folder,
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    'commit',
    '--quiet',
    '--message=catalog',
  );
  git(folder, 'push', '--quiet', join(folder, 'remote.git'), 'main');
}

async function serve(folder) {
  const args = ['serve', '--port', String(PORT), '--db', 'service.db', '--world', 'world.json'];
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) if (`${chunk}`.includes('Listening')) return child;
  throw new Error('the service ended');
}

function variable(name) {
  return `USER_${name.toUpperCase().replaceAll('-', '_')}`;
}

function git(cwd, ...args) {
  execFileSync('git', args, { cwd, stdio: 'ignore' });
}
