import type { Command } from 'commander';
import { leaves, pathOf } from '../rig/command-tree.ts';

/** All commands with their help, as Markdown: what `trove COMMAND --help` says, in one page. */
export function commandReference(trove: Command): string {
  const global = rows(trove, (long) => long !== '--version' && long !== '--help');
  return `${[
    '# Commands',
    'Generated from the command line by `npm run reference`; `--help` shows the same for each command.',
    'Every command accepts these options, before or after its name:',
    table('Option', global),
    '`trove --version` prints the version. An unknown command, option or argument is an error, and nothing is done.\n[Exit codes](exit-codes.md) lists what each exit code means.',
    ...leaves(trove).map(section),
  ].join('\n\n')}\n`;
}

function section(command: Command): string {
  const usage = `trove ${pathOf(command)} ${command.usage()}`
    .replace('[options] ', '')
    .replace(' [options]', '');
  const options = rows(command, (long) => long !== '--help');
  const args = command.createHelp().visibleArguments(command);
  return [
    `## trove ${pathOf(command)}`,
    sentence(command.description()),
    `\`\`\`text\n${usage}${options.length > 0 ? ' [options]' : ''}\n\`\`\``,
    ...(args.length > 0
      ? [
          table(
            'Argument',
            args.map((each) => [each.name(), each.description]),
          ),
        ]
      : []),
    ...(options.length > 0 ? [table('Option', options)] : []),
    `\`\`\`sh\n${examplesOf(command)}\n\`\`\``,
  ].join('\n\n');
}

function rows(command: Command, keep: (long: string | undefined) => boolean): readonly (readonly string[])[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => keep(long))
    .map((option) => [option.flags, help.optionDescription(option)]);
}

function table(title: string, cells: readonly (readonly string[])[]): string {
  const lines = cells.map(([name = '', what = '']) => `| \`${name}\` | ${escaped(what)} |`);
  return [`| ${title} | |`, '| --- | --- |', ...lines].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** As its help shows them, what they are for as a comment. */
function examplesOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  const [, examples = ''] = help.split('\nExamples:\n');
  return examples
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/, (gap) => `${gap}# `))
    .join('\n');
}
