#!/usr/bin/env node
import { CommanderError } from 'commander';
import { type ExitCode, exitCode, worstOf } from './commands/exit-code.ts';
import { program } from './commands/program.ts';
import { credentialsInArguments } from './commands/run.ts';
import { renderCrash, renderDiagnostics, renderLostOutput } from './render/diagnostics.ts';

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
  const exposed = credentialsInArguments(process.argv.slice(2), process.env);
  if (exposed) {
    process.stderr.write(renderDiagnostics([exposed], { color: false }));
    return exitCode.error;
  }
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

const listeners = new Set<(isRepeated: boolean) => void>();
let isTold = false;

/**
 * The first signal is told to whoever listens; the second one ends the process, and the journal still holds. Once
 * somebody has listened, a first signal never ends it: what is left then is to record and to unlock.
 */
function onInterrupt(listener: (isRepeated: boolean) => void): () => void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    if (process.listenerCount(signal) === 0) process.on(signal, interrupted);
  listeners.add(listener);
  if (isTold) listener(false);
  return () => void listeners.delete(listener);
}

function interrupted(): void {
  const isRepeated = isTold;
  isTold = true;
  for (const listener of listeners) listener(isRepeated);
  if (isRepeated) process.exit(exitCode.interrupted);
}

// A reader that goes away (`trove plan | head`) changes neither what is done nor how it ends. Neither does a full disk
// behind standard output: an apply must not end in the middle of a write, so what was lost is told at the end.
let lost: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') lost ??= error;
});
// Where nobody can be told, there is nothing left to do.
process.stderr.on('error', () => {});
process.on('exit', (code) => {
  if (lost === undefined) return;
  process.stderr.write(renderLostOutput(lost));
  process.exitCode = worstOf([code as ExitCode, exitCode.error]);
});

process.exitCode = await main();
