import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * What takes most of the time, or other programs than Node: `npm test` leaves it out, `npm run test:long` runs nothing
 * else. A file belongs here if it takes more than a few seconds.
 */
const long = [
  // Processes that are killed, disks that fail, races.
  'test/crash/**',
  'test/scenarios/{interrupted,waiting-run}.test.ts',
  // The pipelines, with git and the runners' rules.
  'test/ci/**',
  // States on a git branch and on servers.
  'test/state/git-store.test.ts',
  'test/state/{document-store,postgres-store,radosgw-store,terraform-referee}.test.ts',
  'test/scenarios/state-on-{git,servers}.test.ts',
  // Browsers, shells, an editor; every command of the documents.
  'test/**/*-browser.test.ts',
  'test/scenarios/{completion,editor}.test.ts',
  'test/docs/documents.test.ts',
  // Hundreds of random runs.
  'test/api/service-words.test.ts',
  'test/apply/{any-dialect,converges}.test.ts',
  'test/plan/documented.test.ts',
  'test/probe/{dialects,scenarios}.test.ts',
  'test/render/markdown.test.ts',
  'test/scenarios/{adversary,lost-state,uncertain,ways-out}.test.ts',
  'test/service/dialect/{random,teams,values}.test.ts',
  'test/service/{faults,limits}.test.ts',
  'test/state/journal.test.ts',
  'test/text/{csv,format-any-text}.test.ts',
];
const all = 'test/**/*.test.ts';

export default defineConfig(({ mode }) => ({
  define: { TROVE_VERSION: JSON.stringify(version) },
  test: {
    include: mode === 'long' ? long.map((path) => path.replace(/\*\*$/, '**/*.test.ts')) : [all],
    exclude: mode === 'long' || mode === 'all' ? [] : long,
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // The styles of the pages are read, not left out.
    css: true,
    // It reads JSON in a way that Node itself does not take.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // One more than the cores of the machine that counts: much of a scenario is waiting, for pauses and for disks.
    maxWorkers: 3,
    // By `npm run coverage`: the layers that decide what is written, and keep what was.
    coverage: {
      include: ['src/{api,apply,plan,state}/**'],
      reporter: [['text', { maxCols: 150 }], 'html'],
      thresholds: { lines: 95 },
    },
  },
}));
