import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogSchema, loadCatalog } from '../../src/catalog/load.ts';
import { formatYaml } from '../../src/text/edit-yaml.ts';
import { folderWith } from '../catalog/folder.ts';
import { generatedCatalog } from '../rig/generated-catalog.ts';
import { handwritten } from '../rig/handwritten-yaml.ts';
import fc from '../rig/property.ts';
import { untidied } from '../rig/untidied.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);

test('formatting any catalog keeps its meaning and changes nothing the second time', async () => {
  const folder = await folderWith({ 'catalog/game.yaml': '' });
  const withMoves = generatedCatalog.map((catalog) => ({
    ...catalog,
    moved: Object.keys(catalog.items).map((key, at) => ({ to: `item.${key}`, from: `item.old-${at}` })),
  }));
  const meaning = async (text: string) => {
    await writeFile(join(folder, 'catalog/game.yaml'), text);
    const catalog = await loadCatalog('catalog', { cwd: folder });
    if (!catalog.ok) return undefined;
    const { attributes, classifiers, items, moved } = catalog.value;
    const declared = [attributes, classifiers, items].map((each) =>
      [...each.values()].map(({ key, declaration }) => [key, declaration]),
    );
    return [declared, moved.map(({ from, to }) => [from, to])];
  };
  const seen = { valid: 0, changed: 0, left: 0 };
  const keepsItsMeaning = async (text: string) => {
    const before = await meaning(text);
    if (before === undefined) return;
    seen.valid++;
    const formatted = formatYaml(text, catalogSchema);
    if (formatted === undefined) seen.left++;
    if (formatted === text || formatted === undefined) return;
    seen.changed++;
    expect(await meaning(formatted)).toEqual(before);
    expect(formatYaml(formatted, catalogSchema)).toBe(formatted);
    expect(new Set(formatted.match(/\r?\n/g)).size).toBeLessThan(2);
  };
  const texts = withMoves.chain(handwritten).chain(untidied);
  await fc.assert(fc.asyncProperty(texts, keepsItsMeaning), { numRuns: RUNS });
  expect(seen.valid).toBeGreaterThan(RUNS / 2);
  expect(seen.changed).toBeGreaterThan(RUNS / 3);
  expect(seen.left).toBeLessThan(RUNS / 10);
});

test('formatting keeps comments above or beside their entry and indents by two blanks', () => {
  const seen = { changed: 0, left: 0 };
  fc.assert(
    fc.property(generatedCatalog.chain(handwritten), (text) => {
      const formatted = formatYaml(text, catalogSchema);
      if (formatted === undefined) seen.left++;
      if (formatted === undefined || formatted === text) return;
      seen.changed++;
      expect(strayComments(formatted)).toEqual([]);
      expect(oddIndents(formatted)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(seen.changed).toBeGreaterThan(RUNS / 3);
  expect(seen.left).toBeLessThan(RUNS / 10);
});

/** Comments that are no longer at the place that they name. */
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
