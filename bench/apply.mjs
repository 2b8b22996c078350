// How long the command line takes for a large catalog on the embedded service, each step as a whole process.
// Build first. node bench/apply.mjs [rounds]
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ITEMS, writeCatalog } from './catalog.mjs';

const cli = resolve('dist/cli.js');
const steps = [
  ['start', ['--version']],
  ['validate', ['validate']],
  ['first plan', ['plan', '--quiet']],
  ['first apply', ['apply', '--yes', '--quiet']],
  ['second plan', ['plan', '--quiet']],
  ['second apply', ['apply', '--yes', '--quiet']],
];

const times = new Map(steps.map(([name]) => [name, []]));
for (let round = 0; round < Number(process.argv[2] ?? 3); round++) {
  const folder = await mkdtemp(join(tmpdir(), 'trove-bench-'));
  await writeCatalog(join(folder, 'catalog'));
  for (const [name, args] of steps) times.get(name).push(timed(args, folder));
  await rm(folder, { recursive: true });
}

process.stdout.write(`${ITEMS} items, median of whole processes\n`);
for (const [name, list] of times)
  process.stdout.write(`${name.padEnd(14)}${(median(list) / 1000).toFixed(2).padStart(6)} s\n`);

function timed(args, cwd) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${args.join(' ')} left with ${status}: ${stderr}`);
  return performance.now() - start;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
