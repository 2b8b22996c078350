import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandTree } from '../rig/command-tree.ts';

const root = resolve(import.meta.dirname, '../..');
const trove = commandTree();
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))].filter(
  (path) => path.endsWith('.md') && path !== 'docs/commands.md',
);

/** Every `trove ...` of every code block, whether the block is run elsewhere or not. */
const lines = documents.flatMap((path) => {
  const blocks = readFileSync(join(root, path), 'utf8').matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm);
  const commands = [...blocks].flatMap(([, block = '']) => block.match(/^(?:\$ )?trove .*/gm) ?? []);
  return commands.map(
    (line) => [path, line.replace(/^\$ /, '').replace(/ *(?:#|\|\||&&|>|\||&$).*$/, '')] as const,
  );
});

describe('every command line in a document', () => {
  test('is found', () => {
    expect(lines.length).toBeGreaterThan(60);
  });

  test.each(lines)('is valid in %s: %s', (_, line) => {
    const { command, flags } = meant(trove, line.split(/\s+/).slice(1));
    const known = [...command.options, ...trove.options].flatMap(({ short, long }) => [short, long]);
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
    expect(command.commands).toEqual([]);
  });
});

/** The command that the words name, and the flags among them. */
function meant(command: Command, words: readonly string[]): { command: Command; flags: readonly string[] } {
  const flags = words.filter((word) => /^-{1,2}[a-z]/.test(word)).map((flag) => flag.replace(/=.*/, ''));
  const named = words.reduce(
    (found, word) => found.commands.find((each) => each.name() === word) ?? found,
    command,
  );
  return { command: named, flags };
}
