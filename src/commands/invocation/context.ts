import { commandFlags } from '../../environment/find.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { wantsColor } from '../../render/terminal.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { GlobalOptions, Io } from './io.ts';

/** One invocation: where it looks, and how it talks. Results go to stdout, everything else to stderr. */
export interface CommandContext {
  readonly io: Io;
  readonly catalogFolder: string;
  readonly environmentName: string;
  /** Whether -e named it, and not a variable or the default. */
  readonly isNamed: boolean;
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

/** `name` is that of one environment. */
export function commandContext(io: Io, options: GlobalOptions, name?: string): CommandContext {
  const color = {
    stdout: wantsColor(io.stdout, io.env, !options.color),
    stderr: wantsColor(io.stderr, io.env, !options.color),
  };
  const quiet = options.quiet ?? false;
  const catalogFolder = catalogFolderOf(io, options);
  const environmentName = name ?? wantedEnvironments(io, options)[0] ?? 'local';
  return {
    io,
    catalogFolder,
    environmentName,
    isNamed: options.env?.some((each) => each !== '') ?? false,
    flags: commandFlags({ catalog: catalogFolder, environment: environmentName }),
    quiet,
    debug: options.debug ?? false,
    color,
    print: (text) => void io.stdout.write(text),
    note: (text) => void (quiet || io.stderr.write(text)),
    complain: (diagnostics) => void io.stderr.write(renderDiagnostics(diagnostics, { color: color.stderr })),
  };
}

/** The same invocation for another environment. */
export function contextFor(name: string, context: CommandContext): CommandContext {
  const flags = commandFlags({ catalog: context.catalogFolder, environment: name });
  return { ...context, environmentName: name, flags };
}

/** As people name it. */
export function catalogFolderOf(io: Io, { catalog }: GlobalOptions): string {
  return catalog || io.env.TROVE_CATALOG || 'catalog';
}

/** Names and patterns, of which there is at least one. */
export function wantedEnvironments(io: Io, { env = [] }: GlobalOptions): readonly string[] {
  const given = env.filter((name) => name !== '');
  return given.length > 0 ? given : [io.env.TROVE_ENV || 'local'];
}
