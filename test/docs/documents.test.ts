import { readdirSync, readFileSync } from 'node:fs';
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

/** Every document with a `console` block: what is only shown is a block of `sh`. */
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))].filter(
  (path) => path.endsWith('.md') && /^```console$/m.test(readFileSync(join(root, path), 'utf8')),
);

test('the documents with commands to follow are found', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/recovery.md', 'docs/events.md']));
});

test.each(documents)('the commands of %s give what it shows', async (document) => {
  const steps = stepsOf(await readFile(join(root, document), 'utf8'));
  expect(steps.length).toBeGreaterThan(0);
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
