import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadCatalog } from '../../../src/catalog/load.ts';
import { catalogKeyOrder } from '../../../src/catalog/schema.ts';
import { arranged } from '../../../src/text/format/format-yaml.ts';
import { folderWith } from '../../catalog/folder.ts';
import { generatedCatalog } from '../../rig/generated-catalog.ts';
import { handwritten } from '../../rig/handwritten-yaml.ts';

test('whatever hands write: the same catalog, the same comments with the same entries, and one form', async () => {
  const folder = await folderWith({ 'catalog/game.yaml': '' });
  const seen = { valid: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(generatedCatalog.chain(handwritten), async (text) => {
      const before = await catalogFrom(folder, text);
      if (before === undefined) return;
      const formatted = arranged(text, catalogKeyOrder);
      seen.valid++;
      if (formatted !== text) seen.changed++;
      expect(await catalogFrom(folder, formatted)).toEqual(before);
      expect(commentsIn(formatted).sort()).toEqual(commentsIn(text).sort());
      expect(strayComments(formatted)).toEqual([]);
      expect(formatted.trimEnd().endsWith('# the end')).toBe(text.trimEnd().endsWith('# the end'));
      expect(oddIndents(formatted)).toEqual([]);
      expect(arranged(formatted, catalogKeyOrder)).toBe(formatted);
    }),
    { numRuns: 500 },
  );
  expect(seen.valid).toBeGreaterThan(400);
  expect(seen.changed).toBeGreaterThan(200);
});

/** What a catalog declares, in its order; undefined where it is not valid. */
async function catalogFrom(folder: string, text: string): Promise<unknown> {
  await writeFile(join(folder, 'catalog/game.yaml'), text);
  const catalog = await loadCatalog('catalog', { cwd: folder });
  if (!catalog.ok) return undefined;
  const { attributes, classifiers, items } = catalog.value;
  return [attributes, classifiers, items].map((declared) =>
    [...declared.values()].map(({ key, declaration }) => [key, declaration]),
  );
}

function commentsIn(text: string): string[] {
  return text.match(/# (?:above|beside) [\w-]+ \d+|# the end|# yaml-language.*/g) ?? [];
}

/** Comments that no longer stand where they say they do. */
function strayComments(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.filter((line, at) => {
    const [, where, key] = /# (above|beside) ([\w-]+) \d+/.exec(line) ?? [];
    if (where === undefined) return false;
    const owner = where === 'above' ? lines[at + 1] : line;
    return !owner?.trim().startsWith(`${key}:`);
  });
}

/** Entries whose indent is not a multiple of two. */
function oddIndents(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => /^(?: {2})* [\w-]+:/.test(line));
}
