import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Result } from '../../src/text/diagnostic.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
}

export function rulesOf(result: Result<unknown>): string[] {
  return result.ok ? [] : result.diagnostics.map(({ rule }) => rule);
}
