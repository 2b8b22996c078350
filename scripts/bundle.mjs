// src -> dist: one small entry and lazily loaded parts, so that `trove --version` does not load an HTTP client.
import { execFile } from 'node:child_process';
import { chmod, cp, readdir, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { writeNotices } from './notices.mjs';

/** `import text from './page.css?raw'`, as Vite reads it in the tests. */
export const rawText = {
  name: 'raw-text',
  setup(build) {
    build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\?raw$/, '')),
      namespace: 'raw-text',
    }));
    build.onLoad({ filter: /^/, namespace: 'raw-text' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }));
  },
};

export async function bundle(folder) {
  await rm(folder, { recursive: true, force: true });
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const { metafile } = await build({
    entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // A native module can't be bundled; it is the package's one runtime dependency.
    external: ['libsql'],
    plugins: [rawText],
    define: { TROVE_VERSION: JSON.stringify(version) },
    // Bundled CommonJS packages call require('node:...'), which an ES module does not define.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    minifySyntax: true,
    // The whole license texts go into one file instead.
    legalComments: 'none',
    metafile: true,
  });
  await writeNotices(metafile, `${folder}/THIRD-PARTY-NOTICES.txt`);
  await chmod(`${folder}/cli.js`, 0o755);
  await promisify(execFile)('node_modules/.bin/tsc', ['-p', 'tsconfig.types.json']);
  // Where the types of the package look for it: a declaration is not written once more.
  for (const types of await readdir('generated'))
    if (types.endsWith('-types.d.ts')) await cp(`generated/${types}`, `${folder}/generated/${types}`);
}
