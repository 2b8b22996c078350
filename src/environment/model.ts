import type { EnvironmentFile } from '../../generated/environment-types.js';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { YamlDocument } from '../text/yaml.ts';

/** The content of an environment's file. The build makes its type from schemas/environment.schema.json. */
export type {
  ClassifierOverride,
  ItemOverride,
  ProbedPoint,
} from '../../generated/environment-types.js';
export type { EnvironmentFile };

/** The service of an environment: at a URL, or the one embedded in Trove. */
export type Service =
  | {
      readonly kind: 'remote' /** Without a trailing slash; its last segment is `api`. */;
      readonly baseUrl: string;
    }
  | { readonly kind: 'embedded' };

/** Names of the variables with the credentials, never the credentials. */
export interface CredentialNames {
  readonly usernameFrom: string;
  readonly passwordFrom: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What the file of each environment sets for its own team; everything else may be the same for several. */
export interface TeamSettings {
  readonly name: string;
  readonly service:
    | { readonly kind: 'remote'; readonly baseUrl: string; readonly credentials: CredentialNames }
    | { readonly kind: 'embedded' };
  /** Optional only with an embedded service. */
  readonly teamId?: string;
  readonly userId?: string;
}

/** Where a state is kept. `path` names it to people. */
export type StatePlace =
  /** Absolute. */
  | { readonly kind: 'file'; readonly path: string }
  /** `file` on a branch of a remote of the catalog's repository; the path is `REMOTE/BRANCH:FILE`, as git has it. */
  | {
      readonly kind: 'git';
      readonly path: string;
      readonly remote: string;
      readonly branch: string;
      readonly file: string;
    }
  /** Rows of a schema of the database whose URL the variable `urlFrom` has; the path is `postgres:SCHEMA/FILE`. */
  | {
      readonly kind: 'postgres';
      readonly path: string;
      readonly urlFrom: string;
      readonly schema: string;
      readonly file: string;
    }
  /** A document at an address with the protocol of Terraform's `http` backend. */
  | {
      readonly kind: 'http';
      readonly path: string;
      readonly address: string | undefined;
      readonly file: string;
    }
  /** A Terraform state of a project in GitLab; the path is `gitlab:PROJECT/STATE`. */
  | {
      readonly kind: 'gitlab';
      readonly path: string;
      readonly project: string | undefined;
      readonly state: string;
      readonly file: string;
    }
  /** An object in S3, or in a store like it; the path is `s3://BUCKET/KEY`. */
  | {
      readonly kind: 's3';
      readonly path: string;
      readonly bucket: string;
      readonly key: string;
      readonly region: string | undefined;
      readonly endpoint: string | undefined;
      readonly pathStyle: boolean;
      readonly file: string;
    };

/** Where a catalog is applied, and as whom. Only `loadEnvironment` makes one. */
export interface Environment {
  readonly name: string;
  readonly service: Service;
  /** 1 to 191 characters. A guard: an answer with another team stops the run. */
  readonly teamId: string;
  /** Its spaces are read before the first write. */
  readonly userId?: string;
  /** A UUID in lower case: item ids are version 5 UUIDs in it. */
  readonly idNamespace: string;
  readonly credentials: CredentialNames;
  /** Attribute key of the catalog to attribute id of the service, as the file names them. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly profile: Profile;
  /** The file's evidence for its profile; empty if nothing was probed. */
  readonly probed: Readonly<Partial<Record<ProfilePoint, (EnvironmentFile['probed'] & object)[string]>>>;
  /** The folder of the catalog, absolute. */
  readonly catalogFolder: string;
  readonly state: StatePlace;
  /** Absolute: where the embedded service keeps its database. */
  readonly dataFolder: string;
  /** Absolute: that database, in this folder. */
  readonly database: string;
  /** Absolute: where this machine records the newest version of the state that it has seen. */
  readonly newestVersionPath: string;
  readonly limits: EnvironmentFile['limits'] & object;
  readonly allowInsecureHttp: boolean;
  /** The values of the catalog that this environment changes. */
  readonly overrides?: EnvironmentFile['overrides'] & object;
  /** Patterns of the addresses that this environment gets. Absent: all. Undefined: one that is wrong. */
  readonly only?: readonly (string | undefined)[];
  /** Absent if there is no file (`local`). */
  readonly document?: YamlDocument;
  /** `sha256:` and the hex digest of the file's bytes; of nothing if there is none. */
  readonly digest: string;
}

/** The location of a value in the file of an environment, for a diagnostic. */
export function locationIn(
  { document, name }: Environment,
  path: readonly (string | number)[],
  part?: 'key' | 'value',
): Pick<Diagnostic, 'location' | 'subject'> {
  return document ? { location: document.locate(path, part) } : { subject: name };
}
