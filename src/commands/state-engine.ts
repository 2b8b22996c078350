import type { StatePlace } from '../environment/model.ts';
import { DocumentFolder } from '../state/document/engine.ts';
import { type S3Keys, S3Object } from '../state/document/s3.ts';
import { TerraformState } from '../state/document/terraform.ts';
import { GitBranch } from '../state/git/branch.ts';
import type { Checkout, StateRepositories } from '../state/git/remote.ts';
import { PostgresFolder } from '../state/postgres/engine.ts';
import type { Engine } from '../state/shared/engine.ts';

type SharedPlace = Exclude<StatePlace, { kind: 'file' }>;

/** What engines need beyond the settings of an environment: their credentials are in variables. */
interface Surroundings extends Omit<Checkout, 'remote'> {
  readonly repositories: StateRepositories;
}

/** What keeps the state of an environment for several machines. Nothing is connected yet. */
export function engineOf(place: SharedPlace, surroundings: Surroundings): Engine {
  const { env } = surroundings;
  const { path } = place;
  switch (place.kind) {
    case 'git':
      return new GitBranch({ ...surroundings, ...place }, path);
    case 'postgres': {
      const { urlFrom: variable, schema, file } = place;
      const name = file.replace(/\.json$/, '');
      return new PostgresFolder({ url: env[variable] ?? '', variable, schema, name }, path);
    }
    case 'http':
      return new DocumentFolder(new TerraformState(httpOptions(place, env), path));
    case 'gitlab':
      return new DocumentFolder(new TerraformState(gitlabOptions(place, env), path));
    case 's3': {
      const region = place.region || env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1';
      return new DocumentFolder(new S3Object({ ...place, region, keys: () => keysOf(env) }, path));
    }
  }
}

/** With the variables of Terraform's `http` backend. */
function httpOptions({ address: set }: SharedPlace & { kind: 'http' }, env: NodeJS.ProcessEnv) {
  const address = set ?? env.TF_HTTP_ADDRESS;
  const take = {
    method: env.TF_HTTP_LOCK_METHOD ?? 'LOCK',
    address: env.TF_HTTP_LOCK_ADDRESS ?? address ?? '',
  };
  const release = {
    method: env.TF_HTTP_UNLOCK_METHOD ?? 'UNLOCK',
    address: env.TF_HTTP_UNLOCK_ADDRESS ?? address ?? '',
  };
  const needs =
    '`state.address` or TF_HTTP_ADDRESS (and TF_HTTP_LOCK_ADDRESS and TF_HTTP_UNLOCK_ADDRESS, if used) to http or https URLs';
  return { address, needs, lock: { take, release }, credentials: basicOf(env) };
}

/** With the variables of a job, whose token may be enough. It refuses a serial that it has, so that no lock is needed. */
function gitlabOptions({ project, state }: SharedPlace & { kind: 'gitlab' }, env: NodeJS.ProcessEnv) {
  const { CI_API_V4_URL: api, CI_PROJECT_ID, CI_JOB_TOKEN: token } = env;
  const id = project ?? CI_PROJECT_ID;
  const isKnown = api !== undefined && id !== undefined;
  const needs =
    api === undefined ? 'CI_API_V4_URL, for example to https://gitlab.com/api/v4' : '`state.project`';
  return {
    needs,
    address: isKnown ? `${api}/projects/${encodeURIComponent(id)}/terraform/state/${state}` : undefined,
    credentials:
      basicOf(env) ?? (token === undefined ? undefined : { username: 'gitlab-ci-token', password: token }),
  };
}

function basicOf({ TF_HTTP_USERNAME: username, TF_HTTP_PASSWORD: password }: NodeJS.ProcessEnv) {
  return username !== undefined && password !== undefined ? { username, password } : undefined;
}

/** From variables; from all else that AWS has, if its own package for that is installed. */
async function keysOf(env: NodeJS.ProcessEnv): Promise<S3Keys | undefined> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN: sessionToken } = env;
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
    return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken };
  const chain = '@aws-sdk/credential-providers';
  try {
    const { fromNodeProviderChain } = await import(chain);
    return await fromNodeProviderChain()();
  } catch {
    return undefined;
  }
}
