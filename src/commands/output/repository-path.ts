import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { RepositoryPath } from '../../render/diagnostic-reports.ts';
import type { Io } from '../invocation/io.ts';

/** Paths of files as a pipeline names them: from the root of the checkout, which CI tells, or else from where we are. */
export function repositoryPath({ env, cwd }: Io): RepositoryPath {
  const root = env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR || cwd;
  return (path) => {
    const inside = relative(root, resolve(cwd, path));
    const isOutside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    return isOutside ? undefined : inside.replaceAll('\\', '/');
  };
}
