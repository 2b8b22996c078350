import { type Command, Option } from 'commander';
import type { Run } from './run.ts';

/** The commands for those who write catalogs. */
export function addAuthoring(trove: Command, run: Run): void {
  trove
    .command('init')
    .argument('[folder]', 'of the project; the catalog goes below it (default: this one)')
    .description('begin a catalog that works as it is; nothing is overwritten')
    .addOption(new Option('--example', 'begin with two classifiers and two items').conflicts('empty'))
    .option('--empty', 'begin with nothing declared')
    .option('--base-url <url>', 'also an environment at this service, named by -e (default: staging)')
    .option('--team-id <id>', 'the team of that environment')
    .action(
      run(async (context, folder: string | undefined, options: never) =>
        (await import('../init.ts')).init(context, folder, options),
      ),
    );
  trove
    .command('fmt')
    .argument('[files...]', 'catalog and environment files, or folders of them (default: all)')
    .description('give files their one form: order of keys, indent; comments stay with what they belong to')
    .option('--check', 'change nothing, show what would change, and exit with 1 where something would')
    .action(
      run(async (context, files: readonly string[], options: never) =>
        (await import('../fmt.ts')).fmt(context, files, options),
      ),
    );
}
