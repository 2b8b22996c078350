import type { Command } from 'commander';
import { formatOption } from './options.ts';
import type { Run } from './run.ts';

const importFile = `
A file names an id for each address; an option's id goes with its classifier's:
  ids.yaml  item.iron-sword: 5f2c
            classifier.rarity: { id: 8d41, options: { rare: 91ab } }
  ids.json  the same as JSON
  ids.csv   address,id
            item.iron-sword,5f2c
            classifier.rarity,8d41
            classifier.rarity.rare,91ab
`;

/** The commands for what is recorded: `trove import`, and all below `trove state`. */
export function addRecords(trove: Command, run: Run): void {
  trove
    .command('import')
    .argument('[address]', 'a declared item or classifier: item.iron-sword')
    .argument('[id]', 'the id that the service has it under')
    .description('record ids of what exists in the service already; nothing is sent')
    .option('--file <file>', 'many of them, as YAML, JSON or CSV')
    .option('--dry-run', 'check and show them, and record nothing')
    .option('--yes', 'do not ask')
    .option('--new-environment', 'begin a state: nothing was ever applied there')
    .addOption(formatOption())
    .addHelpText('after', importFile)
    .action(
      run(async (context, address: string | undefined, id: string | undefined, options: never) =>
        (await import('../import-ids.ts')).importIds(context, address, id, options),
      ),
    );
  const state = trove.command('state').description('look after the state');
  addLooking(state, run);
  addChanging(state, run);
}

function addLooking(state: Command, run: Run): void {
  state
    .command('list')
    .description('everything that is recorded, with its id')
    .addOption(formatOption())
    .action(
      run(async (context, options: never) => (await import('../state-list.ts')).stateList(context, options)),
    );
  state
    .command('show')
    .argument('<address>', 'a recorded item or classifier')
    .description('all that is recorded of one address')
    .addOption(formatOption())
    .action(
      run(async (context, address: string, options: never) =>
        (await import('../state-show.ts')).stateShow(context, address, options),
      ),
    );
  state
    .command('pull')
    .description('print the whole state as JSON')
    .action(run(async (context) => (await import('../state-pull.ts')).statePull(context)));
}

function addChanging(state: Command, run: Run): void {
  state
    .command('mv')
    .argument('<from>', 'as it is recorded now')
    .argument('<to>', 'an address of the same kind that nothing is recorded for')
    .description('record a resource under another address; nothing is sent')
    .action(
      run(async (context, from: string, to: string) =>
        (await import('../state-mv.ts')).stateMove(context, from, to),
      ),
    );
  state
    .command('forget')
    .argument('<address>', 'a recorded item or classifier')
    .description('lose the ids of an address on purpose; nothing is sent')
    .option('--yes', 'do not ask')
    .action(
      run(async (context, address: string, options: never) =>
        (await import('../state-forget.ts')).stateForget(context, address, options),
      ),
    );
  state
    .command('push')
    .argument('<file>', 'a state, as trove state pull prints it')
    .description('replace the state by a file')
    .option('--force', 'also where it is older, of another history, or would lose ids')
    .action(
      run(async (context, file: string, options: never) =>
        (await import('../state-push.ts')).statePush(context, file, options),
      ),
    );
  state
    .command('unlock')
    .description('remove the lock that a run left behind')
    .option('--force', 'also where that run may still be going on')
    .option('--yes', 'do not ask, also where it surely is')
    .action(
      run(async (context, options: never) =>
        (await import('../state-unlock.ts')).stateUnlock(context, options),
      ),
    );
}
