import type { Command } from 'commander';
import { FormatsOption, formatOption, passwordOption, withWishes } from './options.ts';
import type { Run } from './run.ts';

/** The commands that change nothing. */
export function addReading(trove: Command, run: Run): void {
  trove
    .command('validate')
    .description('check the catalog and the environment, and tell every problem at once')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'gitlab', 'sarif'))
    .action(
      run(async (context, options: never) => (await import('../validate.ts')).validate(context, options)),
    );
  withWishes(trove.command('plan'))
    .description('show what apply would do, from files alone')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .option('--out <file>', 'save the plan for: trove apply FILE')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .action(
      run(
        async (context, options: never) => (await import('../plan.ts')).plan(context, options),
        async (contexts, options) =>
          (await import('../planning/plan-several.ts')).planSeveral(contexts, options),
      ),
    );
  trove
    .command('show')
    .argument('<file>', 'of trove plan --out, or of trove apply --format ndjson')
    .description('show a saved plan, or what an apply did; needs no catalog')
    .addOption(new FormatsOption('json', 'markdown', 'github', 'html'))
    .action(
      run(async (context, file: string, options: never) =>
        (await import('../show.ts')).show(context, file, options),
      ),
    );
  trove
    .command('doctor')
    .description('check everything that can be checked without a write, and say what to do next')
    .addOption(formatOption())
    .addOption(passwordOption())
    .action(run(async (context, options: never) => (await import('../doctor.ts')).doctor(context, options)));
  trove
    .command('spaces')
    .argument('[user-id]', 'default: userId of the environment')
    .description("list a user's spaces and their grids")
    .addOption(formatOption())
    .addOption(passwordOption())
    .action(
      run(async (context, user: string | undefined, options: never) =>
        (await import('../spaces.ts')).spaces(context, user, options),
      ),
    );
}
