import { Command } from 'commander';
import { escapeTerminal } from '../../render/terminal.ts';
import { version } from '../../version.ts';
import type { ExitCode } from '../invocation/exit-code.ts';
import type { GlobalOptions, Io } from '../invocation/io.ts';
import { addAuthoring } from './authoring.ts';
import { addCompleting } from './completing.ts';
import { addEnvironments } from './environments.ts';
import { addExamples } from './examples.ts';
import { addHelping, misplacedFlag } from './helping.ts';
import { repeatable } from './options.ts';
import { addReading } from './reading.ts';
import { addRecords } from './records.ts';
import { createRun, createRunNamed } from './run.ts';
import { addServing } from './serving.ts';
import { addWriting } from './writing.ts';

/** The command line. Each command is loaded when it runs; `finish` is told its exit code. */
export function program(io: Io, finish: (code: ExitCode) => void): Command {
  const trove = new Command('trove')
    .description("Makes a team's records in the item service match a catalog of YAML files.")
    .version(version)
    .option('--catalog <dir>', 'folder of the catalog (TROVE_CATALOG)')
    .addOption(
      repeatable('-e, --env <name>', 'environment (TROVE_ENV; default: local, the embedded service)'),
    )
    .option('--no-color', 'plain text, also on a terminal')
    .option('--quiet', 'results and errors only')
    .option('--debug', 'tell more on standard error; never a secret')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .exitOverride();
  const options = () => trove.opts<GlobalOptions>();
  const run = createRun(io, options, finish);
  addAuthoring(trove, run);
  addReading(trove, run);
  addWriting(trove, run);
  addRecords(trove, run);
  const runNamed = createRunNamed(io, options, finish);
  addEnvironments(trove, runNamed);
  addServing(trove, run);
  addCompleting(trove, run, runNamed);
  addHelping(trove);
  addExamples(trove);
  pointToHelp(trove, '');
  return trove;
}

/** What was typed behind a flag that nobody knows may be a secret: `--password=...`, `-p...`. */
function withoutValue(complaint: string): string {
  return complaint.replace(/^(error: unknown option ')(--[^=']*|-.)[\s\S]*'/, "$1$2'");
}

/** After a wrong flag, where it goes, and the help that lists the right ones. */
function pointToHelp(command: Command, parents: string): void {
  const path = `${parents}${command.name()}`;
  command.showHelpAfterError(`(${path} --help shows what there is)`);
  command.configureOutput({
    // It repeats what was typed.
    outputError: (text, write) => {
      const safe = withoutValue(text);
      write((safe + misplacedFlag(command, safe)).split('\n').map(escapeTerminal).join('\n'));
    },
  });
  for (const child of command.commands) pointToHelp(child, `${path} `);
}
