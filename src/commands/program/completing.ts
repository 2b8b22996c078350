import { Argument, type Command } from 'commander';
import { shells } from '../completion/scripts.ts';
import type { Run } from './run.ts';

export function addCompleting(trove: Command, run: Run): void {
  trove
    .command('completion')
    .addArgument(new Argument('<shell>').choices(shells))
    .description('print what makes a shell complete commands, flags, environments and addresses')
    .action(
      run(async (context, shell: never) => (await import('../completion.ts')).completion(context, shell)),
    );
  trove
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(
      run(async (context, words: readonly string[]) =>
        (await import('../complete.ts')).complete(context, trove, words),
      ),
    );
}
