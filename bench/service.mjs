// How many creates a second the embedded service answers, each durable before its answer, against the same service
// without a store. Both are processes of their own, asked in turns by a third over 16 connections kept alive.
// node bench/service.mjs [rounds [creates]]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Pool } from 'undici';

const LANES = 16;
const user = { id: 'user_1', username: 'designer', password: 'correct horse', teamId: 'team_7' };
const world = { teams: [{ id: 'team_7', name: 'Armourers' }], users: [user] };

const program = `
  import { startService } from './server.ts';
  const [database, world] = process.argv.slice(2);
  const { url } = await startService({ database, world: JSON.parse(world), onError: (error) => { throw error; } });
  process.stdout.write(url + '\\n');
`;

const nativeModule = {
  name: 'native-module-by-its-path',
  setup({ onResolve }) {
    const path = createRequire(import.meta.url).resolve('libsql');
    onResolve({ filter: /^libsql$/ }, () => ({ path, external: true }));
  },
};

const withoutStore = {
  name: 'without-store',
  setup({ onResolve }) {
    onResolve({ filter: /\/(world|database|store)\.ts$/ }, ({ importer }) =>
      importer.endsWith('/server.ts') ? { path: resolve('bench/no-store.mjs') } : undefined,
    );
  },
};

if (process.argv[2] === 'client') await runClient(process.argv[3], Number(process.argv[4]));
else await compare(Number(process.argv[2] ?? 9), Number(process.argv[3] ?? 10_000));

async function compare(rounds, creates) {
  const folder = await mkdtemp(join(tmpdir(), 'trove-bench-'));
  const services = {};
  try {
    services['with its store'] = await startService(folder, 'real', []);
    services['without a store'] = await startService(folder, 'bare', [withoutStore]);
    const rates = new Map(Object.keys(services).map((name) => [name, []]));
    // The first round warms up.
    for (let round = -1; round < rounds; round++) {
      for (const [name, { url }] of Object.entries(services)) {
        const rate = await clientRate(url, creates);
        if (round >= 0) rates.get(name).push(rate);
      }
    }
    report(rates);
  } finally {
    for (const { child } of Object.values(services)) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

async function startService(folder, name, plugins) {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: program, resolveDir: resolve('src/service') },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    plugins: [...plugins, nativeModule],
  });
  const args = [outfile, join(folder, `${name}.db`), JSON.stringify(world)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { child, url: String(line).trim() };
}

async function clientRate(url, creates) {
  const args = [fileURLToPath(import.meta.url), 'client', url, String(creates)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [[line], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'close')]);
  if (code !== 0) throw new Error(`the client left with ${code}`);
  return Number(line);
}

/** Prints creates per second. Bodies are made before the clock starts. */
async function runClient(url, creates) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: LANES, pipelining: 1 });
  const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
  const create = async (path, body) => {
    const answer = await pool.request({ method: 'POST', path: pathname + path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text}`);
    return text;
  };
  const classifierOptions = [{ name: 'Common', dropRateMultiplier: 1 }];
  const classifier = await create('/classifiers', JSON.stringify({ name: 'Rarity', classifierOptions }));
  const optionId = JSON.parse(classifier).classifierOptions[0].id;
  const bodies = Array.from({ length: creates }, (_, index) => bodyOf(index, optionId));
  const start = performance.now();
  const lane = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await create('/items', body);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  process.stdout.write(`${(creates * 1000) / (performance.now() - start)}\n`);
  await pool.close();
}

function bodyOf(index, optionId) {
  return JSON.stringify({
    id: crypto.randomUUID(),
    name: `Iron Sword ${index}`,
    rollNumerator: 40.5,
    thumbnail: 'https://cdn.example/iron-sword.png',
    classifierOptionIds: [optionId],
    itemAttributes: [{ attributeId: 'damage', min: 3, max: 7 }],
  });
}

function report(rates) {
  const medians = [...rates].map(([name, list]) => [name, median(list)]);
  for (const [name, rate] of medians)
    process.stdout.write(`${name.padEnd(16)}${rate.toFixed(0).padStart(7)} creates/s\n`);
  const [[, real], [, bare]] = medians;
  process.stdout.write(`ratio           ${(bare / real).toFixed(2).padStart(7)}\n`);
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
