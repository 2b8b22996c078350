import type { Readable, Writable } from 'node:stream';

type Output = Writable & { readonly isTTY?: boolean };

/** The process as commands see it, so that nothing else reaches for globals. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** `20.19.0` */
  readonly nodeVersion: string;
  readonly now: () => Date;
  /**
   * Calls back at SIGINT, SIGTERM or SIGHUP until the returned function is called. After a repeated one the process ends as
   * soon as every listener has returned.
   */
  readonly onInterrupt: (listener: (isRepeated: boolean) => void) => () => void;
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly catalog?: string;
  /** Names of environments and patterns for them, in the order given. */
  readonly env?: readonly string[];
  /** False for `--no-color`. */
  readonly color: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}
