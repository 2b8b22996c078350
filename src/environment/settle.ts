import { join, resolve } from 'node:path';
import { embeddedProfile, unknownProfile } from '../contract/profile.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { normalBaseUrl } from './base-url.ts';
import type { CredentialNames, Environment, Service } from './model.ts';
import type { EnvironmentFile } from './schema.ts';
import { URL_NAMESPACE, uuid5 } from './uuid5.ts';

export interface About {
  readonly name: string;
  /** The catalog folder, absolute. */
  readonly folder: string;
  readonly digest: string;
  readonly document?: YamlDocument;
}

/** The variables that credentials come from where a file names no others. */
export const defaultCredentials: CredentialNames = {
  usernameFrom: 'TROVE_USERNAME',
  passwordFrom: 'TROVE_PASSWORD',
};

/** Fills in every default of a checked environment file. Of one that is not sound, what is missing stays empty. */
export function settle(file: EnvironmentFile, about: About): Environment {
  const service = serviceOf(file);
  const embedded = service.kind === 'embedded';
  const teamId = file.teamId ?? 'team_local';
  const userId = file.userId ?? (embedded ? 'user_local' : undefined);
  const localFolder = join(about.folder, '.trove');
  const dataFolder = join(localFolder, ...(about.name === 'local' ? [] : [about.name]));
  return {
    name: about.name,
    service,
    teamId,
    ...(userId !== undefined && { userId }),
    idNamespace: file.idNamespace?.toLowerCase() ?? derivedNamespace(service, teamId),
    credentials: { ...defaultCredentials, ...file.credentials },
    attributes: new Map(Object.entries(file.attributes ?? {})),
    profile: { ...(embedded ? embeddedProfile : unknownProfile), ...file.profile },
    probed: file.probed ?? {},
    catalogFolder: about.folder,
    state: { path: resolve(about.folder, file.state?.path ?? defaultStatePath(about.name, embedded)) },
    dataFolder,
    newestVersionPath: join(localFolder, `${about.name}.newest.json`),
    limits: file.limits ?? {},
    allowInsecureHttp: file.allowInsecureHttp ?? false,
    ...(file.overrides && { overrides: file.overrides }),
    ...(file.only && { only: file.only }),
    ...(about.document && { document: about.document }),
    digest: about.digest,
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

/** Relative to the catalog folder. What the embedded service holds is one machine's, and so is its state; others belong into git or a backend. */
export function defaultStatePath(name: string, embedded: boolean): string {
  return embedded ? `.trove/${name}.state.json` : `state/${name}.json`;
}
