import { join, resolve } from 'node:path';
import { embeddedProfile, unknownProfile } from '../contract/profile.ts';
import { isLoopback } from '../contract/routes.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { defaultCredentials } from './credentials.ts';
import type { Environment, Service } from './model.ts';
import type { EnvironmentFile } from './schema.ts';
import { URL_NAMESPACE, uuid5 } from './uuid5.ts';

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
    state: { path: resolve(origin.folder, file.state?.path ?? defaultStatePath(origin.name, embedded)) },
    dataFolder,
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

/** Relative to the catalog folder. Records of an embedded service, and so its state, stay on one machine; other states belong in git. */
export function defaultStatePath(name: string, embedded: boolean): string {
  return embedded ? `.trove/${name}.state.json` : `state/${name}.json`;
}

/**
 * The base URL of a service (API, head: its last path segment is `api`) in its one normal form, without a trailing
 * slash; or what is wrong with it. Messages never repeat the text, since it may contain a password.
 */
export function normalBaseUrl(
  text: string,
  allowInsecureHttp: boolean,
): { readonly url: string } | { readonly problem: string; readonly hint: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const wrong = (problem: string, hint = 'for example https://game.example/api') => ({ problem, hint });
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return wrong('`baseUrl` must be an http or https URL');
  if (url.username || url.password)
    return wrong('`baseUrl` must not hold credentials', 'name their variables under `credentials`');
  if (/[?#]/.test(text)) return wrong('`baseUrl` must not have a query or a fragment');
  if (!path.endsWith('/api')) return wrong('the last path segment of `baseUrl` must be `api`');
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    const hint = 'use https, or insist with `allowInsecureHttp: true`';
    return wrong('`baseUrl` would send credentials over plain http to another machine', hint);
  }
  return { url: `${url.protocol}//${url.host}${path}` };
}
