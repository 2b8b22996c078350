import { Argument, type Command } from 'commander';
import { shells } from '../completion/scripts.ts';
import type { Run, RunNamed } from './run.ts';

/** `runNamed` takes the environment from no variable: completing must go on where that names none. */
export function addCompleting(trove: Command, run: Run, runNamed: RunNamed): void {
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
      runNamed(
        async (context, words: readonly string[]) =>
          (await import('../complete.ts')).complete(context, trove, words),
        0,
      ),
    );
}
