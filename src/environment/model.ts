import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { YamlDocument } from '../text/yaml.ts';
import type { Overrides } from './overrides.ts';

/** The service of an environment: at a URL, or the one that Trove brings along. */
export type Service =
  | {
      readonly kind: 'remote' /** Without a trailing slash; its last segment is `api`. */;
      readonly baseUrl: string;
    }
  | { readonly kind: 'embedded' };

/** Names of the variables that hold the credentials, never the credentials. */
export interface CredentialNames {
  readonly usernameFrom: string;
  readonly passwordFrom: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The most records that one apply may write. Absent: no limit. */
export interface Limits {
  readonly maxCreates?: number;
  readonly maxUpdates?: number;
}

/** What `trove probe` found out about one point of the profile, as the file keeps it. */
export interface ProbedPoint {
  /** ISO 8601 instant. */
  readonly at: string;
  /** The service that told it: in a file that was copied for another one it is no evidence. */
  readonly baseUrl: string;
  /** A value of the point, or `could-not-tell`. */
  readonly value: string;
  /** Why it could not be told. */
  readonly because?: string;
  /** The exchange that told it: compact, without credentials, cut. */
  readonly request?: string;
  readonly answer?: string;
}

/** Where a catalog is applied, and as whom. Only `loadEnvironment` makes one. */
export interface Environment {
  readonly name: string;
  readonly service: Service;
  /** 1 to 191 characters. The guard: another team in an answer stops everything. */
  readonly teamId: string;
  /** Its spaces are read before the first write. */
  readonly userId?: string;
  /** A UUID in lower case: item ids are version 5 UUIDs in it. */
  readonly idNamespace: string;
  readonly credentials: CredentialNames;
  /** Attribute key of the catalog to attribute id of the service, as the file names them. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly profile: Profile;
  /** The evidence that the file has for its profile; empty where nothing was probed. */
  readonly probed: Readonly<Partial<Record<ProfilePoint, ProbedPoint>>>;
  /** The folder of the catalog, absolute. */
  readonly catalogFolder: string;
  /** Absolute. */
  readonly state: { readonly path: string };
  /** Absolute: where the embedded service keeps its database. */
  readonly dataFolder: string;
  /** Absolute: where this machine notes the newest version of the state that it has had. */
  readonly newestVersionPath: string;
  readonly limits: Limits;
  readonly allowInsecureHttp: boolean;
  /** What this environment declares otherwise than the catalog. */
  readonly overrides?: Overrides;
  /** Patterns of the addresses that this environment gets. Absent: all. */
  readonly only?: readonly string[];
  /** Absent where there is no file (`local`). */
  readonly document?: YamlDocument;
  /** `sha256:` and the hex digest of the file's bytes; of nothing where there is no file. */
  readonly digest: string;
}
