import { CommanderError } from 'commander';
import { renderCrash, renderDiagnostics } from '../render/diagnostics.ts';
import { explainProblems } from '../render/messages/explain-problem.ts';
import { fitTerminal } from '../render/terminal.ts';
import type { Io } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { program } from './program.ts';
import { credentialsInArguments } from './run.ts';

/** Arguments -> one command -> exit code. */
export async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  const exposed = credentialsInArguments(args, io);
  if (exposed) {
    io.stderr.write(renderDiagnostics(explainProblems([exposed], ''), { color: false }));
    return exitCode.error;
  }
  fitTerminal(io.stdout);
  let code: ExitCode = exitCode.done;
  try {
    await program(io, (result) => {
      code = result;
    }).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.error;
    io.stderr.write(renderCrash(error, args.includes('--debug')));
    return exitCode.error;
  }
}
