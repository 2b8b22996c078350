import { spawnSync } from 'node:child_process';

/** Linux with strace only: `describe.skipIf(!canTrace)` names the suite in the report if it can't run. */
export const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

/**
 * What to put before a command whose system calls shall fail, wait or kill it: `fsync:error=EIO:when=2`. `-I 4`: a
 * signal to the group is for the command, and strace stays to see what it does about it.
 */
export function injecting(injection: string): readonly string[] {
  const [calls] = injection.split(':', 1);
  return [...'strace -f -I 4 -qq -o /dev/null -e'.split(' '), `trace=${calls}`, '-e', `inject=${injection}`];
}
