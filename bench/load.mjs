// How long a whole `loadCatalog` takes, against js-yaml's `load` alone on the same files in the same process.
// node bench/load.mjs [rounds]
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { load } from 'js-yaml';
import { ITEMS, writeCatalog } from './catalog.mjs';

const LIMIT = 1.5;

const folder = await mkdtemp(join(tmpdir(), 'trove-bench-'));
try {
  const { loadCatalog } = await bundled('src/catalog/load.ts');
  await writeCatalog(join(folder, 'catalog'));
  await measure(loadCatalog, Number(process.argv[2] ?? 15));
} finally {
  await rm(folder, { recursive: true });
}

async function bundled(entry) {
  const outdir = join(folder, 'bundle');
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}');
  return import(pathToFileURL(join(outdir, 'load.js')).href);
}

async function measure(loadCatalog, rounds) {
  const times = { load: [], loadCatalog: [] };
  const texts = await readTexts();
  for (let round = -3; round < rounds; round++) {
    const plain = await timed(() => texts.map((text) => load(text)));
    const whole = await timed(async () => {
      const result = await loadCatalog('catalog', { cwd: folder });
      if (!result.ok) throw new Error(result.diagnostics[0].message);
      if (result.value.items.size !== ITEMS) throw new Error('Items are missing');
    });
    if (round < 0) continue;
    times.load.push(plain);
    times.loadCatalog.push(whole);
  }
  const [plain, whole] = [median(times.load), median(times.loadCatalog)];
  process.stdout.write(`js-yaml load   ${plain.toFixed(0)} ms
loadCatalog    ${whole.toFixed(0)} ms
ratio          ${(whole / plain).toFixed(2)}  (at most ${LIMIT})
`);
  if (whole / plain > LIMIT) process.exitCode = 1;
}

async function readTexts() {
  const names = await readdir(join(folder, 'catalog'));
  return Promise.all(names.map((name) => readFile(join(folder, 'catalog', name), 'utf8')));
}

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
