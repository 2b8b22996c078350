import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.ts';
import type { Catalog } from '../../src/catalog/model.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { rendered } from '../rig/in-words.ts';

/** A folder with these files, removed after the test. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export async function catalogOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Result<Catalog>> {
  return loadCatalog('catalog', { cwd: await folderWith(files) });
}

/** What a person sees of a result; `valid` where nothing is wrong. */
export function shown(result: Result<unknown>): string {
  return result.ok ? 'valid' : rendered(result.diagnostics);
}

/**
 * Each problem of a rendered text by what outlasts its words: where it is, its rule, the names that its sentences have
 * in backticks, and `+` with every other end.
 */
export function problemsIn(text: string): readonly string[] {
  const blocks = text
    .split(/^(?=(?:error|warning): )/m)
    .filter((block) => /^(?:error|warning): /.test(block));
  return blocks.map((block) => {
    const [, rule = ''] = /\[([a-z0-9-]+)\]$/m.exec(block) ?? [];
    const [place = '', ...others] = [...block.matchAll(/^ *(?:-->|:::) (.+)$/gm)].map(([, at = '']) =>
      at.replace(/^.*\//, ''),
    );
    const words = block.replaceAll(/^ *\d* \|.*$|^ *(?:-->|:::).*$/gm, '').replaceAll(/\s+/g, ' ');
    const names = [...words.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    return [place, rule, ...names, ...others.map((at) => `+${at}`)].filter(Boolean).join(' ');
  });
}

/** The problems of one catalog file. */
export async function problemsOf(text: string): Promise<readonly string[]> {
  return problemsIn(shown(await catalogOf({ 'catalog/a.yaml': text })));
}
