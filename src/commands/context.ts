import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { nearestCatalog } from '../catalog/find.ts';
import { renderDiagnostics } from '../render/diagnostics.ts';
import { explainProblems } from '../render/messages/explain-problem.ts';
import { commandFlags } from '../render/messages/sentences.ts';
import { escapeTerminal, wantsColor } from '../render/terminal.ts';
import type { StateRepositories } from '../state/git/remote.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { type Folder, linkOutside } from '../text/read-file.ts';

/** One invocation: where it looks, and how it talks. Results go to stdout, everything else to stderr. */
export interface CommandContext {
  readonly io: Io;
  /** As people name it in commands. */
  readonly catalogFolder: string;
  /** Absolute; unless it was named, it may be that of a parent folder. */
  readonly catalogPath: string;
  readonly environmentName: string;
  /** Whether -e named it, and not a variable or the default. */
  readonly isNamed: boolean;
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly repositories: StateRepositories;
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  print(text: string): void;
  /** Left out with `--quiet`. */
  note(text: string): void;
  /** A line on stderr with `--debug`, never with a body, a header or a secret. */
  trace(text: string): void;
  /** Does a step of the command, whose time `--debug` shows at the end. */
  timed<T>(step: string, work: () => Promise<T>): Promise<T>;
  reportErrors(diagnostics: readonly Diagnostic[]): void;
}

export type Contexts = readonly [CommandContext, ...(readonly CommandContext[])];

/** What all environments of one command share. */
export interface Shared {
  /** What each step took, in milliseconds. */
  readonly times: Map<string, number>;
  readonly repositories: StateRepositories;
}

/** `name` is that of one environment, `given` its flags in printed commands. */
export function commandContext(
  io: Io,
  options: GlobalOptions,
  { times, repositories }: Shared,
  name?: string,
  given?: string,
): CommandContext {
  const color = {
    stdout: wantsColor(io.stdout, io.env, !options.color),
    stderr: wantsColor(io.stderr, io.env, !options.color),
  };
  const quiet = options.quiet ?? false;
  const named = options.catalog || io.env.TROVE_CATALOG;
  const catalogFolder = named || 'catalog';
  const catalogPath = named ? resolve(io.cwd, named) : nearestCatalog(io.cwd, io.env.HOME, io.user);
  const environmentName = name ?? wantedEnvironments(io, options)[0] ?? 'local';
  const flags = given ?? printedFlags(io, catalogFolder, environmentName);
  return {
    io,
    catalogFolder,
    catalogPath,
    environmentName,
    isNamed: options.env?.some((each) => each !== '') ?? false,
    flags,
    quiet,
    debug: options.debug ?? false,
    repositories,
    color,
    print: (text) => void io.stdout.write(text),
    note: (text) => void (quiet || io.stderr.write(text)),
    trace: (text) => void (options.debug && io.stderr.write(`debug: ${escapeTerminal(text)}\n`)),
    async timed(step, work) {
      const since = io.now().getTime();
      const took = () => (times.get(step) ?? 0) + io.now().getTime() - since;
      return work().finally(() => times.set(step, took()));
    },
    reportErrors: (diagnostics) =>
      void io.stderr.write(renderDiagnostics(explainProblems(diagnostics, flags), { color: color.stderr })),
  };
}

export function contextFor(name: string, context: CommandContext): CommandContext {
  const flags = printedFlags(context.io, context.catalogFolder, name);
  return { ...context, environmentName: name, flags };
}

/**
 * What printed commands need to mean this catalog and environment: also the default ones, if variables name others.
 * Without an environment, for commands that name theirs as arguments.
 */
export function printedFlags({ env }: Io, catalog: string, environment?: string): string {
  const { TROVE_CATALOG = '', TROVE_ENV = '' } = env;
  const flags = commandFlags({ catalog, environment: environment ?? 'local' });
  const folder = catalog === 'catalog' && !['', catalog].includes(TROVE_CATALOG) ? ' --catalog catalog' : '';
  const name = environment === 'local' && !['', environment].includes(TROVE_ENV) ? ' -e local' : '';
  return `${folder}${flags}${name}`;
}

/** Names and patterns, of which there is at least one. */
export function wantedEnvironments(io: Io, { env = [] }: GlobalOptions): readonly string[] {
  const given = env.filter((name) => name !== '');
  return given.length > 0 ? given : [io.env.TROVE_ENV || 'local'];
}

type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The process as commands see it, so that nothing else reaches for globals. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** As files name their owner: where there are no users, all belong to number 0. */
  readonly user: number;
  /** `20.19.0` */
  readonly nodeVersion: string;
  readonly now: () => Date;
  /** Calls back at SIGINT, SIGTERM or SIGHUP until the returned function is called. */
  readonly onInterrupt: (listener: InterruptListener) => () => void;
}

/** After a repeated signal the process ends as soon as every ending that listeners gave is settled. */
export type InterruptListener = (isRepeated: boolean) => Ending | undefined;

interface Ending {
  /** Whether nothing that is known waits for the disk. */
  readonly isSettled: () => boolean;
  /** Resolves once it may be so. Does not reject. */
  readonly settled: () => Promise<void>;
  /** Prints what is left open, right before the process ends. */
  readonly report: () => void;
}

export interface GlobalOptions {
  readonly catalog?: string;
  /** Names of environments and patterns for them, in the order given. */
  readonly env?: readonly string[];
  /** False for `--no-color`. */
  readonly color: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

/**
 * The problem of a path below the catalog that leads out of it through a link: what Trove writes there would
 * land on an unrelated file.
 */
export function leadsOutOfCatalog(path: string, context: CommandContext): Promise<Diagnostic | undefined> {
  return linkOutside(path, path, { path: context.catalogPath, called: 'catalog' });
}

/** Where files are that a person names. Git keeps links, so what lies there may lead to any file of the machine. */
export function workingFolder({ cwd }: Io): Folder {
  return { path: cwd, called: 'working-folder' };
}
