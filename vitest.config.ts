import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

export default defineConfig({
  define: { TROVE_VERSION: JSON.stringify(version) },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 400_000,
    // The styles of the pages are read, not left out.
    css: true,
    // It reads JSON in a way that Node itself does not take.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // One more than the cores of the machine that counts: much of a scenario is waiting, for pauses and for disks.
    maxWorkers: 3,
  },
});
