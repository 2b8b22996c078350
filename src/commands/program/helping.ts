import type { Command } from 'commander';
import { nearest } from '../../text/nearest.ts';

/** `trove help state unlock`; the `help` that commander has takes one word and shows that of `state`. */
export function addHelping(trove: Command): void {
  trove
    .command('help')
    .argument('[command...]', 'one or more words: plan, state unlock')
    .description('show what a command does, with its options and examples')
    .action((words: readonly string[]) => helpOf(trove, words));
}

function helpOf(command: Command, [word, ...others]: readonly string[]): never {
  if (word === undefined || command.commands.length === 0) return command.help();
  const next = below(command, word);
  if (next) return helpOf(next, others);
  const meant = nearest(
    word,
    command
      .createHelp()
      .visibleCommands(command)
      .map((each) => each.name()),
  );
  command.error(`error: unknown command '${word}'${meant ? `\n(Did you mean ${meant}?)` : ''}`);
}

/** What to say of a flag that stands before the command that has it; empty where that is not the mistake. */
export function misplacedFlag(command: Command, complaint: string): string {
  const flag = /^error: unknown option '(--?[\w-]+)/.exec(complaint)?.[1];
  // The words that were left when the flag was met, the flag among them.
  const meant = command.args.reduce((found, word) => below(found, word) ?? found, command);
  const isKnown = meant.options.some(({ long, short }) => flag === long || flag === short);
  return meant !== command && isKnown ? `(it goes behind its command: ${pathOf(meant)} ${flag})\n` : '';
}

function below(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
