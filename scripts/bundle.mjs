// src -> dist: one small entry and lazily loaded parts, so that `trove --version` does not load an HTTP client.
import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';

export async function bundle(folder) {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await build({
    entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // A native module can't be bundled; it is the package's one runtime dependency.
    external: ['libsql'],
    define: { TROVE_VERSION: JSON.stringify(version) },
    // Bundled CommonJS packages call require('node:...'), which an ES module does not have by itself.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    sourcemap: false,
    minifySyntax: true,
    legalComments: 'linked',
  });
  await chmod(`${folder}/cli.js`, 0o755);
  await promisify(execFile)('node_modules/.bin/tsc', ['-p', 'tsconfig.types.json']);
}
