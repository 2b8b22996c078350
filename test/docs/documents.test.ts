import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pattern, runSteps, stepsOf } from '../rig/transcript.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a fresh clone has after `npm ci`, as far as the documents need it. */
const parts = [
  'catalog',
  'schemas',
  'dist',
  'node_modules/libsql',
  'node_modules/@libsql',
  'node_modules/@neon-rs',
  'node_modules/detect-libc',
];

const documents = [
  'README.md',
  ...['first-catalog', 'adopting', 'new-team', 'recovery'].map((each) => `docs/${each}.md`),
];

test.each(documents)('the commands of %s give what it shows', async (document) => {
  const steps = stepsOf(await readFile(join(root, document), 'utf8'));
  expect(steps.length).toBeGreaterThan(10);
  const folder = await mkdtemp(join(tmpdir(), 'trove-document-'));
  try {
    for (const part of parts) await copyPart(part, folder);
    const { PATH, HOME } = process.env;
    const outputs = await runSteps(steps, folder, { PATH, HOME });
    for (const [index, { command, expected }] of steps.entries()) {
      expect(outputs[index], command).toMatch(pattern(expected));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function copyPart(part: string, folder: string): Promise<void> {
  await mkdir(join(folder, part, '..'), { recursive: true });
  await cp(join(root, part), join(folder, part), {
    recursive: true,
    filter: (path) => !path.includes('.trove'),
  });
}
