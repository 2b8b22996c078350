import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { program } from '../../src/commands/program.ts';

/** The command line with nothing behind it, to be looked at. */
export function commandTree(): Command {
  return program(
    {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
      cwd: '/',
      user: 0,
      nodeVersion: '20.19.0',
      now: () => new Date(0),
      onInterrupt: () => () => {},
    },
    () => {},
  );
}

/** The commands that do something, below a command, without hidden ones. */
export function leaves(command: Command): readonly Command[] {
  if (command.commands.length === 0) return [command];
  return command.commands.filter((each) => !each.name().startsWith('_')).flatMap(leaves);
}

/** `state list` */
export function pathOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${pathOf(above)} ${command.name()}` : command.name();
}
