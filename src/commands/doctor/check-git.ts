import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Environment } from '../../environment/model.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type Looked, ok, skipped, warning } from './finding.ts';

const SLOWEST_MS = 5000;

/** Whether git leaves alone what belongs to one machine: the journal and the lock beside the state. */
export async function checkGit({ state }: Environment, context: CommandContext): Promise<Looked> {
  const { catalogFolder, io } = context;
  const files = [`${state.path}.journal`, `${state.path}.lock`];
  const ignored = await ignoredFiles(files, resolve(io.cwd, catalogFolder), io.env);
  if (ignored === undefined)
    return { findings: [skipped('git', 'the catalog is in no git checkout, or git is not installed')] };
  if (ignored === files.length) return { findings: [ok('git', 'ignores journal and lock of the state')] };
  const message = 'does not ignore journal and lock of the state, which belong to this machine';
  return { findings: [warning('git', message, 'add the lines *.journal and *.lock to .gitignore')] };
}

/** How many of these files git ignores; undefined where it can't say. The index is not read, so nothing runs for it. */
function ignoredFiles(
  files: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const args = ['check-ignore', '--no-index', '--', ...files];
  return new Promise((done) => {
    execFile('git', args, { cwd, env, timeout: SLOWEST_MS }, (failure, stdout) => {
      // 1: none of them is ignored.
      if (failure && failure.code !== 1) done(undefined);
      else done(stdout.split('\n').length - 1);
    });
  });
}
