import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pattern, runSteps, stepsOf } from '../rig/transcript.ts';

const root = resolve(import.meta.dirname, '../..');
const parts = [
  'catalog',
  'schemas',
  'dist',
  'node_modules/libsql',
  'node_modules/@libsql',
  'node_modules/@neon-rs',
  'node_modules/detect-libc',
];

test('a new team comes to its items as the guide shows it', async () => {
  const steps = stepsOf(await readFile(join(root, 'docs/new-team.md'), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'trove-new-team-'));
  try {
    for (const part of parts) {
      await mkdir(join(folder, part, '..'), { recursive: true });
      const filter = (path: string) => !path.includes('.trove');
      await cp(join(root, part), join(folder, part), { recursive: true, filter });
    }
    const { PATH, HOME } = process.env;
    const outputs = await runSteps(steps, folder, { PATH, HOME });
    expect(steps.length).toBeGreaterThan(10);
    for (const [index, { command, expected }] of steps.entries())
      expect(outputs[index], command).toMatch(pattern(expected));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
