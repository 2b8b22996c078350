import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { isLoopback } from '../contract/api.ts';
import { embeddedProfile, unknownProfile } from '../contract/profile.ts';
import type { Problems } from '../text/diagnostic.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { defaultCredentials } from './credentials.ts';
import type { Environment, EnvironmentFile, Service, StatePlace } from './model.ts';

/** Where an environment file is, and its text. */
export interface Origin {
  readonly name: string;
  /** The catalog folder, absolute. */
  readonly folder: string;
  readonly digest: string;
  readonly document?: YamlDocument;
}

/** The environment of a checked file, with every default. What had to be left out of a file with problems is empty. */
export function applyDefaults(file: EnvironmentFile, origin: Origin): Environment {
  const service = serviceOf(file);
  const embedded = service.kind === 'embedded';
  const teamId = file.teamId ?? 'team_local';
  const userId = file.userId ?? (embedded ? 'user_local' : undefined);
  const localFolder = join(origin.folder, '.trove');
  const dataFolder = join(localFolder, ...(origin.name === 'local' ? [] : [origin.name]));
  return {
    name: origin.name,
    service,
    teamId,
    ...(userId !== undefined && { userId }),
    idNamespace: file.idNamespace?.toLowerCase() ?? derivedNamespace(service, teamId),
    credentials: { ...defaultCredentials, ...file.credentials },
    attributes: new Map(Object.entries(file.attributes ?? {})),
    profile: { ...(embedded ? embeddedProfile : unknownProfile), ...file.profile },
    probed: file.probed ?? {},
    catalogFolder: origin.folder,
    state: statePlace(file, origin, embedded),
    dataFolder,
    database: join(dataFolder, 'service.db'),
    newestVersionPath: join(localFolder, `${origin.name}.newest.json`),
    limits: file.limits ?? {},
    allowInsecureHttp: file.allowInsecureHttp ?? false,
    ...(file.overrides && { overrides: file.overrides }),
    ...(file.only && { only: file.only }),
    ...(origin.document && { document: origin.document }),
    digest: origin.digest,
  };
}

function serviceOf(file: EnvironmentFile): Service {
  if (file.service === 'embedded') return { kind: 'embedded' };
  const checked = normalBaseUrl(file.baseUrl ?? '', file.allowInsecureHttp ?? false);
  return { kind: 'remote', baseUrl: 'url' in checked ? checked.url : '' };
}

/** A base URL has no fragment, so no two pairs of URL and team give the same text. */
function derivedNamespace(service: Service, teamId: string): string {
  const target = service.kind === 'remote' ? service.baseUrl : 'embedded';
  return uuid5(URL_NAMESPACE, `${target}#${teamId}`);
}

function statePlace(
  { state = {} }: EnvironmentFile,
  { name, folder }: Origin,
  embedded: boolean,
): StatePlace {
  const file = `${name}.json`;
  switch (state.backend) {
    case 'git': {
      // One branch each, so that runs of different environments are not in each other's way.
      const { remote = 'origin', branch = `trove-state-${name}` } = state;
      return { kind: 'git', path: `${remote}/${branch}:${file}`, remote, branch, file };
    }
    case 'postgres': {
      const { urlFrom = 'TROVE_STATE_URL', schema = 'trove' } = state;
      return { kind: 'postgres', path: `postgres:${schema}/${file}`, urlFrom, schema, file };
    }
    case 'http': {
      const { address } = state;
      return { kind: 'http', path: address ?? `TF_HTTP_ADDRESS:${file}`, address, file };
    }
    case 'gitlab': {
      const { project, name: stateName = name } = state;
      const path = `gitlab:${project ?? 'CI_PROJECT_ID'}/${stateName}`;
      return { kind: 'gitlab', path, project: project?.toString(), state: stateName, file };
    }
    case 's3': {
      const { bucket = '', key = `trove/${file}`, region, endpoint, pathStyle = false } = state;
      return { kind: 's3', path: `s3://${bucket}/${key}`, bucket, key, region, endpoint, pathStyle, file };
    }
    default:
      return { kind: 'file', path: resolve(folder, state.path ?? defaultStatePath(name, embedded)) };
  }
}

/** Relative to the catalog folder. Records of an embedded service, and so its state, stay on one machine; other states belong in git. */
export function defaultStatePath(name: string, embedded: boolean): string {
  return embedded ? `.trove/${name}.state.json` : `state/${name}.json`;
}

/**
 * The base URL of a service (API, head: its last path segment is `api`) in its one normal form, without a trailing
 * slash; or what is wrong with it, without the text, since that may contain a password.
 */
export function normalBaseUrl(
  text: string,
  allowInsecureHttp: boolean,
): { readonly url: string } | { readonly problem: Problems['base-url'] } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const wrong = (why: Problems['base-url']['why']) => ({ problem: { why } });
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return wrong('not-http');
  if (url.username || url.password) return wrong('credentials');
  if (/[?#]/.test(text)) return wrong('query');
  if (!path.endsWith('/api')) return wrong('path');
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) return wrong('plain-http');
  return { url: `${url.protocol}//${url.host}${path}` };
}

/** The namespace for URLs of RFC 9562, section 6.6. */
export const URL_NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** The version 5 UUID (RFC 9562, section 5.5) of a name in a namespace (a UUID): the same pair gives the same UUID. */
export function uuid5(namespace: string, name: string): string {
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new Error(`Not a UUID: ${namespace}`);
  const hash = createHash('sha1').update(bytes).update(name, 'utf8').digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
