import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.ts';
import { inWords } from '../rig/in-words.ts';
import { textCases } from '../rig/text-cases.ts';
import { catalogOf, folderWith, problemsIn, problemsOf, shown } from './folder.ts';

const rarity =
  'classifiers: { rarity: { name: Rarity, options: { common: { name: Common, dropRateMultiplier: 1 } } } }\n';
const sword = 'items: { sword: { name: Sword, rollNumerator: 1, classifiers: { rarity: common } } }\n';

describe('a valid catalog', () => {
  test('contains what all its files declare', async () => {
    const result = await catalogOf({
      'catalog/b/items.yml': sword,
      'catalog/a.yaml': `\uFEFF${rarity}`,
      'catalog/empty.yaml': '# nothing yet\n',
      'catalog/notes.txt': '[',
      'catalog/.hidden/x.yaml': '[',
      'catalog/environments/x.yaml': '[',
      'catalog/state/x.yaml': '[',
    });
    if (!result.ok) throw new Error(shown(result));
    const { items, classifiers, folder, fileCount, digest } = result.value;
    expect([...items.keys(), ...classifiers.keys()]).toEqual(['sword', 'rarity']);
    expect([folder, fileCount]).toEqual(['catalog', 3]);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const declared = items.get('sword');
    expect(declared?.declaration.rollNumerator).toBe(1);
    expect(declared?.document.source.path).toBe('catalog/b/items.yml');
  });

  test('has a digest of its paths and bytes', async () => {
    const digestOf = async (name: string, text: string) => {
      const result = await catalogOf({ [`catalog/${name}`]: text });
      return result.ok ? result.value.digest : '';
    };
    const digest = await digestOf('a.yaml', rarity);
    expect(await digestOf('a.yaml', rarity)).toBe(digest);
    expect(await digestOf('b.yaml', rarity)).not.toBe(digest);
    expect(await digestOf('a.yaml', `${rarity}#`)).not.toBe(digest);
  });

  test('distinguishes null, empty and absent', async () => {
    const text = 'items: { a: { name: A, rollNumerator: 1, thumbnail: null, classifiers: {} } }';
    const result = await catalogOf({ 'catalog/a.yaml': text });
    const declaration = result.ok ? result.value.items.get('a')?.declaration : undefined;
    expect(declaration).toEqual({ name: 'A', rollNumerator: 1, thumbnail: null, classifiers: {} });
  });
});

describe('finding files', () => {
  test('reports a missing folder, a file in its place, and an empty or nested catalog', async () => {
    const problemsWith = async (files: Readonly<Record<string, string>>) =>
      problemsIn(shown(await catalogOf(files)));
    expect(await problemsWith({})).toEqual(['catalog missing-catalog']);
    expect(await problemsWith({ catalog: 'a' })).toEqual(['catalog missing-catalog']);
    expect(await problemsWith({ 'catalog/a.txt': 'a' })).toEqual(['catalog empty-catalog']);
    const elsewhere = await folderWith({ 'a.yaml': 'token: s3cret' });
    const cwd = await folderWith({});
    await symlink(elsewhere, join(cwd, 'catalog'));
    expect(problemsIn(shown(await loadCatalog('catalog', { cwd })))).toEqual(['catalog link-outside']);
    const project = { 'catalog/catalog/a.yaml': 'items: {}', 'catalog/catalog/environments/eu.yaml': '' };
    expect(await problemsWith(project)).toEqual(['catalog nested-catalog']);
  });

  test('reports links out of the folder, in circles and to nothing', async () => {
    const cwd = await folderWith({
      'catalog/a/a.yaml': rarity,
      'secret.yaml': 'password: hunter2',
      'elsewhere/b.yaml': sword,
    });
    await symlink(join(cwd, 'secret.yaml'), join(cwd, 'catalog/secret.yaml'));
    await symlink(join(cwd, 'elsewhere'), join(cwd, 'catalog/elsewhere'));
    await symlink('..', join(cwd, 'catalog/a/up'));
    await symlink('../..', join(cwd, 'catalog/a/upper'));
    await symlink('nowhere', join(cwd, 'catalog/nowhere.yaml'));
    const result = await loadCatalog('catalog', { cwd });
    expect(result.ok ? [] : result.diagnostics.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual([
      'link-loop catalog/a/up',
      'link-outside catalog/a/upper',
      'link-outside catalog/elsewhere',
      'broken-link catalog/nowhere.yaml',
      'link-outside catalog/secret.yaml',
    ]);
    expect(shown(result)).not.toContain('hunter2');
  });

  test('follows a link to a file in the folder', async () => {
    const cwd = await folderWith({ 'catalog/.parts/a.yaml': rarity });
    await symlink('.parts/a.yaml', join(cwd, 'catalog/a.yaml'));
    expect(shown(await loadCatalog('catalog', { cwd }))).toBe('valid');
  });

  test('reports files that are not UTF-8 or too large, and ignores folders', async () => {
    const latin = Buffer.from('items:\n  a: { name: "caf\xe9" }\n', 'latin1');
    expect(problemsIn(shown(await catalogOf({ 'catalog/a.yaml': latin })))).toEqual(['a.yaml:2:18 not-utf8']);
    const large = await catalogOf({ 'catalog/a.yaml': Buffer.alloc(16 * 2 ** 20 + 1, '#') });
    expect(problemsIn(shown(large))).toEqual(['a.yaml file-size']);
    const many = `moved: [${'{},'.repeat(800_000)}]`;
    expect(problemsIn(shown(await catalogOf({ 'catalog/a.yaml': many })))).toEqual(['a.yaml:1:1 yaml-size']);
    const cwd = await folderWith({ 'catalog/a.yaml': rarity });
    await mkdir(join(cwd, 'catalog/folder.yaml'));
    expect(shown(await loadCatalog('catalog', { cwd }))).toBe('valid');
  });
});

describe('schema problems', () => {
  const wrong = `
items: []
-> a.yaml:1:8 wrong-type items
itmes: {}
-> a.yaml:1:1 unknown-property itmes items
items: { a: }
-> a.yaml:1:10 wrong-type a
items: { a: { rollNumerator: "40", nmae: A } }
-> a.yaml:1:30 wrong-type rollNumerator
-> a.yaml:1:36 unknown-property nmae name
items: { a: { name: 12, rollNumerator: true, thumbnail: [x], createdAt: 2 } }
-> a.yaml:1:21 wrong-type name
-> a.yaml:1:40 wrong-type rollNumerator
-> a.yaml:1:57 wrong-type thumbnail
-> a.yaml:1:73 wrong-type createdAt
items: { "Iron Sword": { name: A, rollNumerator: 1 } }
-> a.yaml:1:10 invalid-key Iron Sword iron-sword
items: { a: { name: ${'x'.repeat(192)}, rollNumerator: 1, id: "" } }
-> a.yaml:1:21 text-length name
-> a.yaml:1:237 text-length id
items: { a: { name: A, rollNumerator: 1, id: ".." } }
-> a.yaml:1:46 invalid-value .. id . ..
items: { a: { name: A, rollNumerator: 1, classifiers: { r: { x: 1 } }, attributes: { d: { min: 1 } } } }
-> a.yaml:1:57 unknown-reference r
-> a.yaml:1:60 wrong-type r
-> a.yaml:1:86 missing-property d max
-> a.yaml:1:86 unknown-reference d
items: { a: { name: A, rollNumerator: 1, lifecycle: { protect: yes, ignoreChanges: [name, name] } } }
-> a.yaml:1:64 wrong-type protect
-> a.yaml:1:91 repeated-value name ignoreChanges +a.yaml:1:85
moved: [{ from: sword, to: item.a }]
-> a.yaml:1:17 invalid-value sword from
items: { a: { name: *x, rollNumerator: 014 } }
-> a.yaml:1:21 unknown-alias &x
-> a.yaml:1:40 inexact-number 014 14 "014"
- a
-> a.yaml:1:1 wrong-type
`;
  test.each(textCases(wrong))('have one sentence for each cause: $name', async ({ text, problems }) => {
    expect(await problemsOf(text)).toEqual(problems);
  });

  test.each([
    ['1,5', 'write `1.5`: a number has a decimal point'],
    ['-0,25', 'write `-0.25`: a number has a decimal point'],
    ['1,500', 'write `1.500`, or `1500`: a number has a decimal point'],
    ['1.500,25', 'use a decimal point and no other separators: 1500.25'],
    ["1'500", 'use a decimal point and no other separators: 1500.25'],
    ['"40"', 'remove the quotes'],
    ['many', undefined],
  ])('suggest how to write the number in rollNumerator: %s', async (written, hint) => {
    const text = `items: \n  a:\n    name: A\n    rollNumerator: ${written}\n`;
    const result = await catalogOf({ 'catalog/a.yaml': text });
    expect(result.ok ? 'valid' : inWords(result.diagnostics).map((each) => each.hint)).toEqual([hint]);
  });

  test('do not show what may be a secret in a misplaced environment file', async () => {
    const credentials = 'credentials: { passwordFrom: hunter2 }\n';
    const text = shown(
      await catalogOf({ 'catalog/staging.yaml': `baseUrl: https://bob:hunter2@host/api\n${credentials}` }),
    );
    expect(text).toContain('move an environment file to environments/NAME.yaml');
    expect(problemsIn(text)).toEqual([
      'staging.yaml:1:1 unknown-property baseUrl',
      'staging.yaml:2:1 unknown-property credentials',
    ]);
    expect(text).not.toContain('hunter2');
  });

  test('count an emoji as one of 191 characters', async () => {
    const named = (name: string) => problemsOf(`items: { a: { name: ${name}, rollNumerator: 1 } }`);
    expect(await named('😀'.repeat(191))).toEqual([]);
    expect(await named('😀'.repeat(192))).toEqual([expect.stringContaining('text-length')]);
  });
});
