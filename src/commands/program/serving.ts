import type { Command } from 'commander';
import { wholeNumber } from './options.ts';
import type { Run } from './run.ts';

export function addServing(trove: Command, run: Run): void {
  trove
    .command('serve')
    .description('run the embedded service by itself')
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--db <file>', 'database file; required unless --print-dialect')
    .option('--world <file>', 'teams, users, spaces and attributes (JSON)')
    .option('--faults <file>', 'what goes wrong on purpose (JSON)')
    .option('--dialect <file>', 'what it does where the interface is silent (YAML or JSON)')
    .option('--print-dialect', 'show every point of the dialect with its values, and stop')
    .option(
      '--seed <n>',
      'draws the order of answers where the dialect shuffles it',
      wholeNumber(0, 2 ** 32 - 1),
      0,
    )
    .option('--allow-remote', 'listen on addresses that other machines can reach')
    .action(run(async (context, options: never) => (await import('../serve.ts')).serve(context, options)));
}
