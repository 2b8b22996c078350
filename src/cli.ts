#!/usr/bin/env node
import type { InterruptListener } from './commands/context.ts';
import { type ExitCode, exitCode, worstOf } from './commands/exit-code.ts';
import { main } from './commands/main.ts';
import { renderLostOutput } from './render/diagnostics.ts';

// The only place that touches the process.

const listeners = new Set<InterruptListener>();
let isTold = false;
let isEnding = false;

/**
 * The first signal goes to the listeners. The second one ends the process once what is known is on disk, and a third one
 * at once. If there ever was a listener, a first signal never ends it: what is left then is to record and to unlock.
 */
function onInterrupt(listener: InterruptListener): () => void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    if (process.listenerCount(signal) === 0) process.on(signal, interrupted);
  listeners.add(listener);
  if (isTold) listener(false);
  return () => void listeners.delete(listener);
}

async function interrupted(): Promise<void> {
  if (isEnding) process.exit(exitCode.interrupted);
  const isRepeated = isTold;
  isTold = true;
  const endings = [...listeners].flatMap((listener) => listener(isRepeated) ?? []);
  if (!isRepeated) return;
  isEnding = true;
  // Decided for all of them in one turn: while one waits for the disk, an answer may come to another one.
  while (endings.some((ending) => !ending.isSettled()))
    await Promise.all(endings.map((ending) => ending.settled()));
  for (const ending of endings) ending.report();
  process.exit(exitCode.interrupted);
}

// A reader that goes away (`trove plan | head`) changes neither what is done nor how it ends. Neither does a full disk
// behind standard output: an apply must not end in the middle of a write, so what was lost is told at the end.
let lost: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') lost ??= error;
});
// If standard error is gone too, there is nothing left to do.
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
  user: process.geteuid?.() ?? 0,
  nodeVersion: process.versions.node,
  now: () => new Date(),
  onInterrupt,
});
