import { commandFlags } from '../environment/command-flags.ts';
import { renderDiagnostics } from '../render/diagnostics.ts';
import { wantsColor } from '../render/style.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { GlobalOptions, Io } from './io.ts';

/** One invocation: where it looks, and how it talks. Results go to stdout, everything else to stderr. */
export interface CommandContext {
  readonly io: Io;
  readonly catalogFolder: string;
  readonly environmentName: string;
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  print(text: string): void;
  /** Left out with `--quiet`. */
  note(text: string): void;
  complain(diagnostics: readonly Diagnostic[]): void;
}

export function commandContext(io: Io, options: GlobalOptions): CommandContext {
  const color = {
    stdout: wantsColor(io.stdout, io.env, !options.color),
    stderr: wantsColor(io.stderr, io.env, !options.color),
  };
  const quiet = options.quiet ?? false;
  const catalogFolder = options.catalog || io.env.TROVE_CATALOG || 'catalog';
  const environmentName = options.env || io.env.TROVE_ENV || 'local';
  return {
    io,
    catalogFolder,
    environmentName,
    flags: commandFlags({ catalog: catalogFolder, environment: environmentName }),
    quiet,
    debug: options.debug ?? false,
    color,
    print: (text) => void io.stdout.write(text),
    note: (text) => void (quiet || io.stderr.write(text)),
    complain: (diagnostics) => void io.stderr.write(renderDiagnostics(diagnostics, { color: color.stderr })),
  };
}
