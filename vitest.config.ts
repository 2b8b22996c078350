import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

export default defineConfig({
  define: { TROVE_VERSION: JSON.stringify(version) },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    // It reads JSON in a way that Node itself does not take.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // Two workers: the machine that counts has two cores, and each scenario starts processes of its own.
    maxWorkers: 2,
  },
});
