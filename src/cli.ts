#!/usr/bin/env node
import { CommanderError } from 'commander';
import { type ExitCode, exitCode } from './commands/exit-code.ts';
import { program } from './commands/program/program.ts';
import { renderCrash } from './render/crash.ts';

/** argv -> one command -> exit code. The only place that touches the process. */
async function main(): Promise<number> {
  let code: ExitCode = exitCode.done;
  const io = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    nodeVersion: process.versions.node,
    now: () => new Date(),
    onInterrupt,
  };
  try {
    await program(io, (result) => {
      code = result;
    }).parseAsync(process.argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.error;
    process.stderr.write(renderCrash(error, process.argv.includes('--debug')));
    return exitCode.error;
  }
}

/** The first signal is told to the listener; the second one ends the process, and the journal still holds. */
function onInterrupt(listener: () => void): () => void {
  let told = false;
  const handle = () => {
    if (told) process.exit(exitCode.interrupted);
    told = true;
    listener();
  };
  process.on('SIGINT', handle).on('SIGTERM', handle);
  return () => void process.off('SIGINT', handle).off('SIGTERM', handle);
}

// A reader that goes away (`trove plan | head`) changes neither what is done nor how it ends.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await main();
