import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandTree, leaves, pathOf } from '../rig/command-tree.ts';

const trove = commandTree();
const groups = trove.commands.filter(({ commands }) => commands.length > 0);

test.each([...leaves(trove), ...groups].map((command) => [pathOf(command), command] as const))(
  'the help of %s has global options and examples within 80 columns, without empty defaults',
  async (path, command) => {
    const help = await printed(`${path} --help`);
    if (command.commands.length === 0) for (const { long } of trove.options) expect(help).toContain(long);
    expect(help).not.toContain('[]');
    const [, examples = ''] = help.split('\nExamples:\n');
    expect(examples).toContain(`trove ${path}`);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(await printed(`help ${path}`)).toBe(help);
  },
);

test('help shows the default of options that may be repeated, and if --db is required', () => {
  const helpOf = (name: string) =>
    trove.commands.find((each) => each.name() === name)?.helpInformation() ?? '';
  const plan = helpOf('plan').replace(/\s+/g, ' ');
  expect(plan).toContain(
    'text (the default), json, markdown, github or html; or FORMAT=FILE; may be repeated',
  );
  expect(plan).not.toContain('[]');
  expect(helpOf('serve').replace(/\s+/g, ' ')).toContain('required unless --local or --print-dialect');
});

async function printed(args: string): Promise<string> {
  const shown = commandTree();
  let text = '';
  // Each command already has its own copy.
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(shown))
    command.configureOutput({
      writeOut: (part) => {
        text += part;
      },
    });
  await expect(shown.parseAsync(args.split(' '), { from: 'user' })).rejects.toThrow('outputHelp');
  expect(text).toMatch(/^Usage: trove /);
  return text;
}
