import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandTree } from '../rig/command-tree.ts';

const root = resolve(import.meta.dirname, '../../src');
const trove = commandTree();

/** `trove` and what follows it in a text of the source, as far as it can be a command line. */
const printed = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => {
    const code = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const commands = code.matchAll(/\btrove ((?:[a-z][a-z-]*|--?[a-z-]+|[A-Z]+|\$\{[^}]*\}| (?=\S))+)/g);
    return [...commands].map(([, words = '']) => ({
      path,
      // `-e NAME` and other flags are put in by functions, with their own blanks.
      words: words
        .replaceAll(/\$\{(?:context\.)?(?:flags|options|first|asked|begin|everywhere)\}/g, '')
        .split(' '),
    }));
  })
  // A phrase such as `trove ${operation} since` is not a command.
  .filter(({ words }) => !words[0]?.startsWith('$'));

describe('every printed command', () => {
  test('is found in the source', () => {
    const names = new Set(printed.map(({ words }) => words[0]));
    expect([...names]).toEqual(expect.arrayContaining(['apply', 'resolve', 'plan', 'state']));
  });

  test.each(printed.map(({ path, words }) => [words.join(' '), path, words] as const))(
    'exists: trove %s (%s)',
    (_text, _path, words) => {
      const { command, rest } = descend(trove, words);
      const flags = rest.filter((word) => word.startsWith('-'));
      const help = { short: '-h', long: '--help' };
      const known = [...command.options, ...trove.options, help].flatMap(({ short, long }) => [short, long]);
      expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
      expect(command.commands.length === 0 || rest[0]?.startsWith('-')).toBe(true);
    },
  );
});

function descend(command: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const next = command.commands.find((each) => each.name() === words[0]);
  return next ? descend(next, words.slice(1)) : { command, rest: words };
}
