import type { Command } from 'commander';
import { escapeTerminal } from '../render/terminal.ts';
import type { TroveCommand } from './options.ts';

/** `trove help state unlock`; the `help` that commander has takes one word and shows that of `state`. */
export function addHelping(trove: TroveCommand): void {
  trove
    .add('help', 'show what a command does, with its options and examples')
    .argument('[command...]', 'one or more words: plan, state unlock')
    .example('trove help plan', 'of one command')
    .example('trove help state unlock', 'of one in a group')
    .action((words: readonly string[]) => helpOf(trove, words));
}

async function helpOf(command: Command, [word, ...others]: readonly string[]): Promise<void> {
  if (word === undefined || command.commands.length === 0) return command.help();
  const next = below(command, word);
  if (next) return helpOf(next, others);
  // A group does nothing by itself: it names what was meant.
  await command.parseAsync([word], { from: 'user' });
}

/** After a wrong flag, where it goes, and the help that lists the right ones. */
export function pointToHelp(command: Command, parents: string): void {
  const path = `${parents}${command.name()}`;
  command.showHelpAfterError(`(${path} --help shows what there is)`);
  command.configureOutput({
    // It repeats what was typed.
    outputError: (text, write) => {
      const safe = withoutValue(text);
      write((safe + misplacedFlag(command, safe)).split('\n').map(escapeTerminal).join('\n'));
    },
  });
  for (const child of command.commands) pointToHelp(child, `${path} `);
}

/** What was typed behind a flag that nobody knows may be a secret: `--password=...`, `-p...`. */
function withoutValue(message: string): string {
  return message.replace(/^(error: unknown option ')(--[\w-]*|-.)[\s\S]*'/, "$1$2'");
}

/** What to say of a flag that stands before the command that has it; empty where that is not the mistake. */
function misplacedFlag(command: Command, message: string): string {
  const flag = /^error: unknown option '(--?[\w-]+)/.exec(message)?.[1];
  // The words that were left when the flag was met, the flag among them.
  const meant = command.args.reduce((found, word) => below(found, word) ?? found, command);
  const isKnown = meant.options.some(({ long, short }) => flag === long || flag === short);
  return meant !== command && isKnown ? `(it goes behind its command: ${pathOf(meant)} ${flag})\n` : '';
}

export function below(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word);
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
