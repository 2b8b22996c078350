import { type Command, Option } from 'commander';
import { formatOption } from './options.ts';
import type { RunNamed } from './run.ts';

/** The commands below `trove env`. They name environments as arguments. */
export function addEnvironments(trove: Command, run: RunNamed): void {
  const env = trove.command('env').description('look after the environments of the catalog');
  env
    .command('list')
    .description('every environment: its target, what is recorded, and what is open')
    .addOption(formatOption())
    .action(
      run(async (context, options: never) => (await import('../env-list.ts')).envList(context, options), 0),
    );
  addAdding(env, run);
  env
    .command('diff')
    .argument('<one>', 'an environment')
    .argument('<other>', 'another one')
    .description('what two teams have differently, by files and last answers')
    .addOption(formatOption())
    .option('--exit-code', 'exit with 2 where something differs')
    .action(
      run(
        async (context, one: string, other: string, options: never) =>
          (await import('../env-diff.ts')).envDiff(context, one, other, options),
        2,
      ),
    );
}

function addAdding(env: Command, run: RunNamed): void {
  env
    .command('add')
    .argument('<name>', 'of the new environment: lower-case words joined by - or _')
    .description('write the file of a new environment; on a terminal, what is missing is asked')
    .option('--from <env>', 'copy its file, with what is of one team only changed')
    .option('--base-url <url>', 'address of the service; its last path segment is api')
    .option('--team-id <id>', 'the team whose records these are')
    .option('--user-id <id>', 'its spaces are read before the first write')
    .option('--username-from <variable>', 'variable with the username (default: NAME_USERNAME)')
    .option('--password-from <variable>', 'variable with the password (default: NAME_PASSWORD)')
    .addOption(new Option('--service <service>', 'the service that Trove brings along').choices(['embedded']))
    .action(
      run(
        async (context, name: string, options: never) =>
          (await import('../env-add.ts')).envAdd(context, name, options),
        1,
      ),
    );
}
