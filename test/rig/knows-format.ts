import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/** Whether the built command line has a format for a command. */
export function knowsFormat(command: string, format: string): boolean {
  const help = execFileSync(process.execPath, [cli, command, '--help'], { encoding: 'utf8' });
  return new RegExp(`\\b${format}\\b`).test(help);
}
