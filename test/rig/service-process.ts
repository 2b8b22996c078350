import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type PluginBuild } from 'esbuild';
import { onTestFinished } from 'vitest';
import { world } from './embedded-service.ts';

/**
 * Starts the embedded service in a process of its own, to be killed or to hold a lock, and gives its base
 * address. Rejects with what it wrote to stderr when it ends before it listens.
 */
export async function serviceProcess(database: string): Promise<{ url: string; child: ChildProcess }> {
  const script = await bundledServer(dirname(database));
  const child = spawn(process.execPath, [script, database, JSON.stringify(world)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(() => {
    throw new Error(errors);
  });
  ended.catch(() => {});
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  return { url: String(line).trim(), child };
}

async function bundledServer(folder: string): Promise<string> {
  const libsql = createRequire(import.meta.url).resolve('libsql');
  const outfile = join(folder, 'server.mjs');
  const { rawText } = await import(new URL('../../scripts/bundle.mjs', import.meta.url).href);
  await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('../../src/service', import.meta.url)) },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [
      rawText,
      {
        name: 'native-module-by-its-path',
        setup: ({ onResolve }: PluginBuild) =>
          onResolve({ filter: /^libsql$/ }, () => ({ path: libsql, external: true })),
      },
    ],
  });
  return outfile;
}

const program = `
  import { startService } from './server.ts';
  const [database, world] = process.argv.slice(2);
  const { url } = await startService({ database, world: JSON.parse(world) });
  process.stdout.write(url + '\\n');
`;
