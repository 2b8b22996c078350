import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../src/catalog/load.ts';
import { catalogKeyOrder } from '../../../src/catalog/schema.ts';
import { readEnvironment } from '../../../src/environment/load.ts';
import { environmentKeyOrder } from '../../../src/environment/schema.ts';
import { withFindings } from '../../../src/environment/with-findings.ts';
import { arranged } from '../../../src/text/format/format-yaml.ts';
import type { KeyOrder } from '../../../src/text/format/key-order.ts';
import { SourceText } from '../../../src/text/source.ts';
import { folderWith } from '../../catalog/folder.ts';
import { misplacedComments } from '../../rig/comment-places.ts';
import { generatedCatalog } from '../../rig/generated-catalog.ts';
import { generatedEnvironment } from '../../rig/generated-environment.ts';
import { handwritten } from '../../rig/handwritten-yaml.ts';
import { untidied } from '../../rig/untidied.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);

describe('however untidy a file is, it keeps its meaning, its comments keep their places, and its form is one', () => {
  test('catalogs', async () => {
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
    await holds(withMoves.chain(handwritten).chain(untidied), catalogKeyOrder, meaning);
  });

  test('environments, also with what a probe wrote', async () => {
    const meaning = async (text: string) => {
      const about = { name: 'eu', folder: '/', digest: '' };
      const read = await readEnvironment(new SourceText('eu.yaml', text), about);
      return read.ok ? { ...read.value, document: undefined } : undefined;
    };
    const probed = { at: '2026-11-21T19:00:00.000Z', baseUrl: 'https://game.example/api', value: 'honoured' };
    const findings = {
      profile: { 'itemCreate.clientId': 'honoured' },
      probed: { 'itemCreate.clientId': { ...probed, request: 'POST /items {"id":"x"}' } },
    } as const;
    const texts = generatedEnvironment
      .chain(handwritten)
      .chain((text) => fc.boolean().map((isProbed) => (isProbed ? withFindings(text, findings) : text)));
    await holds(texts.chain(untidied), environmentKeyOrder, meaning);
  });
});

async function holds(
  texts: fc.Arbitrary<string>,
  order: KeyOrder,
  meaning: (text: string) => Promise<unknown>,
): Promise<void> {
  const seen = { valid: 0, changed: 0 };
  const property = fc.asyncProperty(texts, async (text) => {
    const before = await meaning(text);
    if (before === undefined) return;
    seen.valid++;
    const formatted = arranged(text, order);
    if (formatted === text) return;
    seen.changed++;
    expect(await meaning(formatted)).toEqual(before);
    expect(misplacedComments(text, formatted)).toEqual([]);
    expect(arranged(formatted, order)).toBe(formatted);
    expect(new Set(formatted.match(/\r?\n/g)).size).toBeLessThan(2);
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(seen.valid).toBeGreaterThan(RUNS / 2);
  expect(seen.changed).toBeGreaterThan(RUNS / 3);
}
