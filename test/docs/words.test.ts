import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What reads as translated, or is not American spelling: CONTRIBUTING.md has the style. */
const ruledOut =
  /\b(anew|for ever|by itself|its like|puts? (?:it|that|them) right|is told|nobody|somebody|a person's word|of these nothing|mislaid|all the same|left behind|behaviour|colour(?:ed|s)?|honours?|licence)\b/gi;

/** Comments are for those who read the code. */
const comment = /^\s*(?:\/\/|\/?\*).*$/gm;

const texts = [
  'README.md',
  'src/commands/program.ts',
  ...below('docs'),
  ...below('schemas'),
  ...below('src/render'),
];

function below(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|json|ts)$/.test(name))
    .map((name) => join(folder, name));
}

test('the texts to check are found', () => {
  expect(texts).toEqual(
    expect.arrayContaining(['README.md', 'docs/recovery.md', 'src/render/messages/plan-reasons.ts']),
  );
});

test.each(texts)('%s contains no word that the style excludes', (path) => {
  const text = readFileSync(path, 'utf8').replace(comment, '');
  expect([...text.matchAll(ruledOut)].map(([word]) => word)).toEqual([]);
});
