import type { Command } from 'commander';
import { formatOption, passwordOption, wholeNumber, withWishes } from './options.ts';
import type { Run } from './run.ts';

/** The commands that write to the service. */
export function addWriting(trove: Command, run: Run): void {
  withWishes(trove.command('apply'))
    .argument('[plan-file]', 'a plan saved by trove plan --out: exactly that is done, once')
    .description('make the environment as the catalog declares it')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--parallel <n>', 'most writes at a time', wholeNumber(1, 256), 16)
    .addOption(formatOption().choices(['text', 'json', 'ndjson']))
    .addOption(passwordOption())
    .action(
      run(
        async (context, planFile: string | undefined, options: never) =>
          (await import('../apply.ts')).apply(context, planFile, options),
        async (contexts, planFile, options) =>
          (await import('../apply.ts')).applyToSeveral(contexts, planFile, options),
      ),
    );
  trove
    .command('probe')
    .description('find out what the service does where its interface is silent, by experiment')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .option('--again', 'also what was found out before')
    .addOption(formatOption())
    .addOption(passwordOption())
    .action(run(async (context, options: never) => (await import('../probe.ts')).probe(context, options)));
  trove
    .command('resolve')
    .argument('[address]', 'a pending create; without it all are listed')
    .description('say what became of a create whose outcome nobody saw')
    .option('--id <id>', 'the service has it under this id')
    .option('--not-created', 'the service does not have it')
    .addOption(passwordOption())
    .action(
      run(async (context, address: string | undefined, options: never) =>
        (await import('../resolve.ts')).resolve(context, address, options),
      ),
    );
}
