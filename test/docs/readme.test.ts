import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pattern, runSteps, stepsOf } from '../rig/transcript.ts';

const root = resolve(import.meta.dirname, '../..');

test('the tour of the README gives what the README shows', async () => {
  const steps = stepsOf(await readFile(join(root, 'README.md'), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'trove-readme-'));
  try {
    for (const part of [
      'catalog',
      'schemas',
      'dist',
      'node_modules/libsql',
      'node_modules/@libsql',
      'node_modules/@neon-rs',
      'node_modules/detect-libc',
    ]) {
      await mkdir(join(folder, part, '..'), { recursive: true });
      await cp(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !path.includes('.trove'),
      });
    }
    const { PATH, HOME } = process.env;
    const outputs = await runSteps(steps, folder, { PATH, HOME });
    expect(steps.length).toBeGreaterThan(20);
    for (const [index, { command, expected }] of steps.entries()) {
      expect(outputs[index], command).toMatch(pattern(expected));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
