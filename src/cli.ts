#!/usr/bin/env node
import { type ExitCode, exitCode, worstOf } from './commands/exit-code.ts';
import { main } from './commands/main.ts';
import { renderLostOutput } from './render/diagnostics.ts';

// The only place that touches the process.

const listeners = new Set<(isRepeated: boolean) => void | Promise<void>>();
let isTold = false;

/**
 * The first signal is told to whoever listens; the second one ends the process, and the journal still holds. Once
 * somebody has listened, a first signal never ends it: what is left then is to record and to unlock.
 */
function onInterrupt(listener: (isRepeated: boolean) => void | Promise<void>): () => void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    if (process.listenerCount(signal) === 0) process.on(signal, interrupted);
  listeners.add(listener);
  if (isTold) listener(false);
  return () => void listeners.delete(listener);
}

async function interrupted(): Promise<void> {
  const isRepeated = isTold;
  isTold = true;
  await Promise.allSettled([...listeners].map((listener) => listener(isRepeated)));
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

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  nodeVersion: process.versions.node,
  now: () => new Date(),
  onInterrupt,
});
