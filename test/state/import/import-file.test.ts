import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Address, Catalog } from '../../../src/catalog/model.ts';
import { explainProblems } from '../../../src/render/messages/explain-problem.ts';
import { fold } from '../../../src/state/draft.ts';
import { entriesOf } from '../../../src/state/entries.ts';
import type { StateEvent } from '../../../src/state/event.ts';
import { checkImport, type ImportPlan } from '../../../src/state/import/check-import.ts';
import { readIdMapping, readIdTable, readImportFile } from '../../../src/state/import/import-file.ts';
import type { Result } from '../../../src/text/diagnostic.ts';
import { SourceText } from '../../../src/text/source.ts';
import { catalogOf, folderWith } from '../../catalog/folder.ts';
import fc from '../../rig/property.ts';
import { smallCatalog } from '../../rig/small-catalog.ts';
import { answered, at, emptyState, intent, itemRecord } from '../events.ts';

const imported = (address: Address, id: string, options?: Readonly<Record<string, string>>): StateEvent => ({
  type: 'imported',
  address,
  at,
  id,
  ...(options && { options }),
});
const retired = (address: Address): StateEvent => ({ type: 'retired', address, at });

async function smallOne(): Promise<Catalog> {
  const loaded = await catalogOf(smallCatalog);
  if (!loaded.ok) throw new Error('The small catalog has problems.');
  return loaded.value;
}

async function checked(
  name: string,
  text: string,
  events: readonly StateEvent[] = [],
): Promise<Result<ImportPlan>> {
  const folder = await folderWith({ [name]: text });
  const named = await readImportFile(join(folder, name), name, {
    path: folder,
    called: 'working-folder',
  });
  const state = fold(emptyState(), events);
  return checkImport(named, { catalog: await smallOne(), state, moves: [] }, at);
}

/** Each problem in one line: place, rule, message, remedy. */
function problemsIn(result: Result<unknown>): readonly string[] {
  if (result.ok) return [];
  const problems = explainProblems(result.diagnostics, ' -e staging');
  return problems.map(({ location, subject, rule, message, related = [], hint }) => {
    const place = (where: typeof location) => {
      const { line, column } = where?.source.positionAt(where.start) ?? { line: 0, column: 0 };
      return `${line}:${column}`;
    };
    const others = related.map((other) => ` (${place(other.location)})`).join('');
    return `${location ? place(location) : subject} ${rule}: ${message}${others}${hint ? ` | ${hint}` : ''}`;
  });
}

test.each<[text: string, problem: RegExp, events?: readonly StateEvent[]]>([
  ['iron-sword: x', /^1:1 not-an-address: `iron-sword` is not an address \| an address is item\.KEY/],
  ['item.iron_sword: x', /^1:1 undeclared: .* \| did you mean `item\.iron-sword`\?$/],
  ['itm.torch: x', /^1:1 not-an-address: .* \| did you mean `item\.torch`\?$/],
  ['item.helmet: x', /^1:1 undeclared: `item\.helmet` is not declared in the catalog \| declare it/],
  [
    'classifier.rarity: { id: c, options: { rrae: o } }',
    /^1:40 undeclared: option `rrae` is not declared .* \| did you mean `classifier\.rarity\.rare`\?$/,
  ],
  ['classifier.rarity: { id: c, options: { constructor: o } }', /^1:40 undeclared/],
  ['item.torch: { id: t, options: { rare: o } }', /^1:33 not-an-address/],
  ['classifier.rarity.rare: o', /^1:1 option-alone: .* \| use --file, and include `classifier\.rarity`/],
  ['item.torch: 0x1F', /^1:13 wrong-type: .* must be text or a mapping, not a number \| put it in quotes$/],
  ['item.torch: 007', /^1:13 inexact-number: .*`"007"` for the text$/],
  ['item.torch: true', /^1:13 wrong-type: .* not true \| put it in quotes$/],
  ['item.torch:', /^1:1 wrong-type: .* it has no value/],
  ['classifier.rarity: { options: {} }', /^1:1 missing-property: `classifier\.rarity` needs `id`$/],
  ['item.torch: [a]', /^1:13 wrong-type: .* not a list$/],
  ['classifier.rarity: { id: c, option: {} }', /^1:29 unknown-property: .* \| did you mean `options`\?$/],
  ['classifier.rarity: { id: c, options: x }', /^1:38 wrong-type: `options` must be a mapping/],
  ['- item.torch', /^1:1 wrong-type: the file must be a mapping, not a list$/],
  ['', /^1:1 wrong-type: the file must be a mapping, but it has no value$/],
  ['{}', /^ids\.yaml import-file: the file contains no IDs$/],
  ['item.torch: {', /^\d+:\d+ yaml-syntax/],
  ['item.torch: ".."', /^1:13 unusable-id/],
  [`item.torch: ${'x'.repeat(192)}`, /^1:13 unusable-id/],
  ['item.torch: a\nitem.torch: b', /^2:1 duplicate-key: .*\(1:1\)/],
  [
    'classifier.rarity: { id: c, options: { rare: o } }\nclassifier.rarity.rare: p',
    /^2:1 repeated-address: `classifier\.rarity\.rare` is listed twice \(1:40\)$/,
  ],
  ['item.torch: a\nitem.oak-bow: a', /^2:15 repeated-id: .*`item\.torch` and `item\.oak-bow`.*\(1:13\)$/],
  ['classifier.rarity: { id: c, options: { rare: o, common: o } }', /^1:57 repeated-id: .*\(1:46\)$/],
  [
    'item.torch: bow',
    /^1:13 held-id: `bow` is recorded as `item\.oak-bow`.* trove state mv item\.oak-bow item\.torch -e staging$/,
    [answered('item.oak-bow', 'bow')],
  ],
  ['item.torch: bow', /held-id/, [answered('item.oak-bow', 'bow'), retired('item.oak-bow')]],
  ['item.torch: bow', /held-id/, [imported('item.oak-bow', 'bow')]],
  [
    'item.torch: bow',
    /held-id.*: trove resolve item\.oak-bow -e staging --id ID$/,
    [intent('item.oak-bow', 'bow')],
  ],
  [
    'item.torch: longbow',
    /held-id.*: trove resolve item\.oak-bow -e staging --id ID$/,
    [
      intent('item.oak-bow', 'bow'),
      { type: 'create-unknown', address: 'item.oak-bow', reason: 'status', otherId: 'longbow' },
    ],
  ],
  [
    'classifier.rarity: { id: c, options: { rare: o } }',
    /^1:46 held-id: `o` is recorded as `classifier\.slot\.main-hand`.*\| check the ID$/,
    [imported('classifier.slot', 's', { 'main-hand': 'o' })],
  ],
  [
    'item.torch: b',
    /^1:13 recorded-already: .* the ID `a` .*first run: trove state forget item\.torch -e staging$/,
    [answered('item.torch', 'a')],
  ],
  ['item.torch: b', /recorded-already/, [imported('item.torch', 'a')]],
  [
    'classifier.rarity: { id: c, options: { rare: p } }',
    /^1:46 recorded-already: `classifier\.rarity\.rare` .* trove state forget classifier\.rarity -e/,
    [imported('classifier.rarity', 'c', { rare: 'o' })],
  ],
  [
    'classifier.rarity: { id: c, options: { rare: o } }',
    /^1:40 recorded-already: .*no ID for option `rare`/,
    [
      {
        type: 'answered',
        address: 'classifier.rarity',
        record: { ...itemRecord('c'), options: { common: 'x' } },
      },
    ],
  ],
  [
    'item.torch: a',
    /^1:1 pending-create: .*: trove resolve item\.torch -e staging --id ID$/,
    [intent('item.torch')],
  ],
])('importing %j reports one problem with its place (case %#)', async (text, problem, events) => {
  const result = await checked('ids.yaml', text, events);
  expect(problemsIn(result)).toEqual([expect.stringMatching(problem)]);
});

const header = /^1:1 import-form: the columns must include `address` and `id` \| .*: address,id$/;

test.each([
  ['ids.csv', 'address;id\nitem.torch;a\n', header],
  ['ids.csv', 'adress,id\nitem.torch,a\n', header],
  ['ids.csv', 'address,id,ID\n', header],
  ['ids.csv', 'address,id\n', /^ids\.csv import-file: the file contains no IDs$/],
  ['ids.csv', 'address,id\nitem.torch\n', /^2:11 import-form: missing ID$/],
  ['ids.csv', 'id,address\n"a",item.trch\n', /^2:5 undeclared: .*did you mean `item\.torch`\?$/],
  ['ids.csv', 'address,id\nitem.torch,"a\n', /^2:12 csv-syntax/],
  ['ids.json', '{ "item.torch": 1 }', /^1:17 wrong-type: .* put it in quotes$/],
  ['ids.txt', 'item.torch: a', /^ids\.txt import-file: unsupported file type/],
])('importing %s with %j reports one problem with its place', async (name, text, problem) => {
  expect(problemsIn(await checked(name, text))).toEqual([expect.stringMatching(problem)]);
});

test('an import reports all problems at once, in the order of their places', async () => {
  const text = 'address,id\nitem.tourch,a\nitem.torch,..\nclassifier.rarity.rare,o\nitem.oak-bow,\nnone,x\n';
  const found = problemsIn(await checked('ids.csv', text)).map((line) =>
    line.split(':', 3).slice(0, 3).join(':'),
  );
  expect(found).toEqual([
    '2:1 undeclared: `item.tourch` is not declared in the catalog | did you mean `item.torch`?',
    '3:12 unusable-id: not a valid ID | an ID has 1 to 191 characters',
    expect.stringMatching(/^4:1 option-alone/),
    '5:14 import-form: missing ID',
    expect.stringMatching(/^6:1 not-an-address/),
  ]);
});

async function outcomes(text: string, events: readonly StateEvent[]) {
  const result = await checked('ids.yaml', text, events);
  if (!result.ok) throw new Error(problemsIn(result).join('\n'));
  const rows = result.value.rows.map(({ outcome, address }) => `${outcome} ${address}`);
  return { rows, events: result.value.events };
}

test('an import adds only the IDs that the state lacks', async () => {
  const text = 'item.torch: t\nitem.oak-bow: b\nclassifier.slot: { id: s, options: { main-hand: m } }';
  const found = await outcomes(text, [answered('item.torch', 't')]);
  expect(found.rows).toEqual([
    'import classifier.slot',
    'import classifier.slot.main-hand',
    'import item.oak-bow',
    'known item.torch',
  ]);
  expect(found.events).toEqual([
    imported('item.oak-bow', 'b'),
    imported('classifier.slot', 's', { 'main-hand': 'm' }),
  ]);
});

test('an import adds options to an imported classifier', async () => {
  const before = [imported('classifier.rarity', 'c', { rare: 'o' })];
  const found = await outcomes('classifier.rarity: { id: c, options: { common: p, rare: o } }', before);
  expect(found.rows).toEqual([
    'known classifier.rarity',
    'import classifier.rarity.common',
    'known classifier.rarity.rare',
  ]);
  expect(found.events).toEqual([imported('classifier.rarity', 'c', { rare: 'o', common: 'p' })]);
  fold(emptyState(), [...before, ...found.events]);
});

test('an import adds an earlier retired record, but not the last, which apply revives', async () => {
  const earlier = answered('item.torch', 'first');
  const events = [earlier, retired('item.torch'), answered('item.torch', 'second'), retired('item.torch')];
  expect((await outcomes('item.torch: second', events)).rows).toEqual(['known item.torch']);
  const found = await outcomes('item.torch: first', events);
  expect(found.rows).toEqual(['import item.torch']);
  expect(entriesOf(fold(emptyState(), [...events, ...found.events])).all('imported')).toMatchObject([
    { id: 'first' },
  ]);
});

test('an import accepts one ID for both a record and an option', async () => {
  const text = 'classifier.rarity: { id: "1", options: { common: "1", rare: "2" } }\nitem.torch: "2"';
  expect((await outcomes(text, [])).events).toHaveLength(2);
});

test('an import never throws, whatever the file contains', async () => {
  const catalog = await smallOne();
  const state = fold(emptyState(), [answered('item.torch', 't'), intent('item.oak-bow')]);
  const parts = fc.constantFrom(
    'item.torch',
    'classifier.rarity',
    'rare',
    '__proto__',
    'id',
    'options',
    ...':{}[],"\'\n #&*a1~-',
    ': ',
    '\n  ',
  );
  const texts = fc.array(parts, { maxLength: 30 }).map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      for (const named of [
        await readIdMapping(new SourceText('ids.yaml', text)),
        readIdTable(new SourceText('ids.csv', `address,id\n${text}`)),
      ]) {
        const result = checkImport(named, { catalog, state, moves: [] }, at);
        if (result.ok) for (const { id } of result.value.rows) expect(id).not.toBe('');
        else expect(result.diagnostics.every(({ location, subject }) => location ?? subject)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
