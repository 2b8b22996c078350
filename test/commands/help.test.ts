import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from '../../src/commands/program/program.ts';

const trove = program(
  {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    cwd: '/',
    nodeVersion: '20.19.0',
    now: () => new Date(0),
    onInterrupt: () => () => {},
  },
  () => {},
);

function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

test.each(leaves(trove).map((command) => [command.name(), command] as const))(
  'the help of %s has the global options, and no default that says nothing',
  (_, command) => {
    const help = command.helpInformation();
    for (const { long } of trove.options) expect(help).toContain(long);
    expect(help).not.toContain('[]');
  },
);

test('options that may be repeated say what goes without them, and --db when it is needed', () => {
  const helpOf = (name: string) =>
    trove.commands.find((each) => each.name() === name)?.helpInformation() ?? '';
  const plan = helpOf('plan').replace(/\s+/g, ' ');
  expect(plan).toContain(
    'text (the default), json, markdown, github or html; or FORMAT=FILE; may be repeated',
  );
  expect(plan).not.toContain('[]');
  expect(helpOf('serve').replace(/\s+/g, ' ')).toContain('required unless --print-dialect');
});
