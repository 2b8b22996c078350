import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type Finished, finished } from './project.ts';
import { gitEnv, type Repository, strictTools } from './repository.ts';

const root = resolve(import.meta.dirname, '../..');

interface TemplateJob {
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts?: { readonly paths?: readonly string[]; readonly expose_as?: string };
}

/** Stands in for `npm ci`, which would fetch Trove: links what is here. */
const fakeNpm = `#!/usr/bin/env bash
mkdir -p node_modules/.bin
ln -sfn '${root}' node_modules/trove
ln -sf '${root}/dist/cli.js' node_modules/.bin/trove
chmod +x '${root}/dist/cli.js'
`;

/** Does what GitLab's runner does with a job of `docs/ci/gitlab-ci.yml`; the result of `after_script` counts nothing. */
export async function runGitlabJob(
  name: string,
  checkout: string,
  env: Readonly<Record<string, string>> = {},
  /** Called with the group of the processes of `script`, which is what GitLab's runner signals. */
  started?: (group: number) => void,
): Promise<Finished> {
  const template = await readTemplate();
  const job = jobIn(template, name);
  const home = await mkdtemp(join(dirname(checkout), 'gitlab-'));
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin/npm'), fakeNpm);
  await chmod(join(home, 'bin/npm'), 0o755);
  const predefined: Record<string, string> = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_DEFAULT_BRANCH: 'main',
    CI_JOB_URL: 'https://git.example/game/catalog/-/jobs/17',
  };
  const variables = { ...(template.variables as Record<string, string> | undefined), ...job.variables };
  const own = Object.entries(variables).map(([key, text]) => [
    key,
    text.replaceAll(/\$(\w+)/g, (_all, variable: string) => predefined[variable] ?? ''),
  ]);
  const tools = await strictTools(home);
  const shell = (lines: readonly string[] = []) =>
    spawn('bash', ['-c', ['set -eo pipefail', ...lines].join('\n')], {
      cwd: checkout,
      detached: true,
      env: {
        ...gitEnv,
        HOME: home,
        PATH: `${join(home, 'bin')}:${tools}:${process.env.PATH}`,
        ...predefined,
        ...env,
        ...Object.fromEntries(own),
      },
    });
  const script = shell([...(job.before_script ?? []), ...(job.script ?? [])]);
  if (script.pid !== undefined) started?.(script.pid);
  const main = await ended(script);
  const after = await finished(shell(job.after_script));
  return { code: main.code, stdout: main.stdout + after.stdout, stderr: main.stderr + after.stderr };
}

async function readTemplate(): Promise<Readonly<Record<string, TemplateJob>>> {
  return load(await readFile(join(root, 'docs/ci/gitlab-ci.yml'), 'utf8')) as Record<string, TemplateJob>;
}

/** What a job of the template keeps of its checkout. */
export async function gitlabArtifacts(name: string): Promise<NonNullable<TemplateJob['artifacts']>> {
  return jobIn(await readTemplate(), name).artifacts ?? {};
}

/** A job with everything that it inherits. */
function jobIn(template: Readonly<Record<string, TemplateJob>>, name: string): TemplateJob {
  const { [name]: job } = template;
  if (job === undefined) throw new Error(`The template has no job ${name}.`);
  return { ...(job.extends !== undefined && jobIn(template, job.extends)), ...job };
}

/**
 * The two jobs that follow a merge, each in a checkout of its own of the commit that the pipeline was started for.
 * `plan` gives what the second one gets from the first: `apply` is called once that is approved.
 */
export async function runGitlabPipeline(repository: Repository, env: Readonly<Record<string, string>>) {
  const commit = await repository.git('rev-parse', 'main');
  let planned = '';
  const plan = async () => {
    planned = await repository.checkout(commit);
    return runGitlabJob('trove-plan-merged', planned);
  };
  const apply = async (started?: (group: number) => void) => {
    const checkout = await repository.checkout(commit);
    const { paths = [] } = await gitlabArtifacts('trove-plan-merged');
    for (const path of paths) await cp(join(planned, path), join(checkout, path));
    const [name = '', value = ''] = (await readFile(join(planned, 'trove-plan.env'), 'utf8'))
      .trim()
      .split('=');
    return runGitlabJob('trove-apply', checkout, { ...env, [name]: value }, started);
  };
  return { plan, apply, first: await plan() };
}

/** The runner goes on once the shell has ended, even if something that it started still holds its output open. */
function ended(child: ChildProcess): Promise<Finished> {
  const closed = finished(child);
  const killed = new Promise<Finished>((done) => {
    child.on('exit', (code) => code === null && done({ code, stdout: '', stderr: '' }));
  });
  return Promise.race([closed, killed]);
}
