import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadCatalog } from '../catalog/load.ts';
import { addressOf } from '../catalog/model.ts';
import { environmentNames } from '../environment/find.ts';
import { escapeTerminal } from '../render/escape.ts';
import { type Candidate, type Wanted, wantedAt } from './completion/wanted.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/**
 * `trove __complete -- WORDS`: what the last of the words after `trove` may become, a line each: the word, a tab, and
 * what it is. The scripts of `trove completion` ask it. What can't be read gives nothing, and no complaint.
 */
export async function complete(
  context: CommandContext,
  trove: Command,
  words: readonly string[],
): Promise<ExitCode> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const candidates = await candidatesFor(
    wantedAt(trove, before, current),
    folderOf(before, context),
    context,
  );
  const lines = candidates
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, about }) => `${word}\t${escapeTerminal(about)}\n`);
  context.print(lines.join(''));
  return exitCode.done;
}

async function candidatesFor(
  wanted: Wanted,
  folder: string,
  { io }: CommandContext,
): Promise<readonly Candidate[]> {
  if (wanted.kind === 'words') return wanted.words;
  if (wanted.kind === 'environments')
    return (await environmentNames(resolve(io.cwd, folder))).map((word) => ({ word, about: 'environment' }));
  if (wanted.kind === 'anything') return [];
  const catalog = await loadCatalog(folder, { cwd: io.cwd });
  if (!catalog.ok) return [];
  const { classifiers, items } = catalog.value;
  return [
    ...[...classifiers.values()].map(({ key, declaration }) => ({
      word: addressOf('classifier', key),
      about: declaration.name,
    })),
    ...[...items.values()].map(({ key, declaration }) => ({
      word: addressOf('item', key),
      about: declaration.name,
    })),
  ];
}

/** The line that is being written may name another catalog. */
function folderOf(before: readonly string[], { catalogFolder }: CommandContext): string {
  const at = before.lastIndexOf('--catalog');
  return (at === -1 ? undefined : before[at + 1]) ?? catalogFolder;
}
