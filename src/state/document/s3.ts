import { isIP } from 'node:net';
import { AwsClient } from 'aws4fetch';
import { createRedact } from '../../contract/redact.ts';
import {
  type Diagnostic,
  error,
  failure,
  type Problems,
  type Result,
  success,
} from '../../text/diagnostic.ts';
import type { Trouble } from '../shared/engine.ts';
import type { DocumentPlace, Found } from './engine.ts';
import { type Answer, exchange, saidIn } from './exchange.ts';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface S3Options {
  readonly bucket: string;
  readonly key: string;
  readonly region: string;
  /** Of a store other than AWS. */
  readonly endpoint?: string | undefined;
  /** The bucket is in the path, not in the host. */
  readonly pathStyle: boolean;
  /** Asked once; undefined if there are none. */
  readonly keys: () => Promise<S3Keys | undefined>;
}

/** An object in S3 or a store like it, replaced under a condition on what it replaces. */
export class S3Object implements DocumentPlace {
  readonly #options: S3Options;
  /** Undefined: the settings make none. */
  readonly #url: string | undefined;
  readonly #subject: string;
  #client: Promise<AwsClient | undefined> | undefined;
  /** Of the keys, only a session's token is ever sent. */
  #redact = createRedact();
  /** Some stores know an ETag with its quotes only, and some without. */
  #isQuoted = true;
  #isProven = false;
  #ignoresConditions = false;

  /** `subject`: the state, as problems name it. */
  constructor(options: S3Options, subject: string) {
    this.#options = options;
    this.#url = urlOf(options);
    this.#subject = subject;
  }

  async read(): Promise<Result<Found | undefined>> {
    if (this.#ignoresConditions) return failure(this.problem('no-conditions'));
    const answer = await this.#ask('GET', {});
    if ('kind' in answer) return failure(answer.problem);
    const { status, text } = answer;
    const tag = answer.header('etag');
    if (status === 200) return tag ? success({ text, tag }) : failure(this.problem('no-conditions'));
    if (status === 404 && !text.includes('NoSuchBucket')) return success(undefined);
    return failure(this.#troubleOf(answer).problem);
  }

  async replace(text: string, before: Found | undefined): Promise<{ readonly tag: string } | Trouble> {
    const done = await this.#put(text, before);
    if (this.#ignoresConditions) return { kind: 'refused', problem: this.problem('no-conditions') };
    // If nothing was changed, that was why, and the next attempt gets through.
    if ('kind' in done && done.kind === 'conflict' && before) this.#isQuoted = !this.#isQuoted;
    if ('kind' in done || this.#isProven) return done;
    // A store that takes the same change twice does not look at conditions: two runs would overwrite each other.
    const again = await this.#put(text, before);
    this.#ignoresConditions = !('kind' in again);
    // Both kinds of conditions are tried: some stores know only one.
    this.#isProven = 'kind' in again && again.kind === 'conflict' && before !== undefined;
    return this.#ignoresConditions ? { kind: 'refused', problem: this.problem('no-conditions') } : done;
  }

  async #put(text: string, before: Found | undefined): Promise<{ readonly tag: string } | Trouble> {
    const tag = this.#isQuoted ? before?.tag : before?.tag.replaceAll('"', '');
    const condition = tag === undefined ? { 'if-none-match': '*' } : { 'if-match': tag };
    const answer = await this.#ask('PUT', { ...condition, 'content-type': 'application/json' }, text);
    if ('kind' in answer) return answer;
    if (answer.status !== 200) return this.#troubleOf(answer);
    const made = answer.header('etag');
    // Without one, the next change could name no version.
    this.#ignoresConditions ||= !made;
    return { tag: made ?? '' };
  }

  async #ask(
    method: 'GET' | 'PUT',
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer | Trouble> {
    const url = this.#url;
    if (url === undefined) return { kind: 'refused', problem: this.problem('no-address') };
    this.#client ??= this.#connect();
    const client = await this.#client;
    if (!client) return { kind: 'refused', problem: this.problem('no-keys') };
    const signed = await client.sign(url, { method, headers, ...(body !== undefined && { body }) });
    const answer = await exchange({
      method,
      url,
      headers: Object.fromEntries(signed.headers),
      body,
    });
    if (answer instanceof Error)
      return { kind: 'unknown', problem: this.problem('unreachable', answer.message) };
    return answer;
  }

  async #connect(): Promise<AwsClient | undefined> {
    const { keys, region } = this.#options;
    const found = await keys();
    if (!found) return undefined;
    const { accessKeyId, secretAccessKey, sessionToken } = found;
    this.#redact = createRedact({ username: '', password: sessionToken ?? '' });
    // No header takes a line break, which a token that was pasted may have.
    if (![accessKeyId, sessionToken ?? 'none'].every((key) => /^[!-~]+$/.test(key))) return undefined;
    const session = sessionToken !== undefined && { sessionToken };
    return new AwsClient({ accessKeyId, secretAccessKey, ...session, region, service: 's3', retries: 0 });
  }

  #troubleOf(answer: Answer): Trouble {
    const { status, text } = answer;
    const said = saidIn(answer);
    // A store may be unsure whether another one came first: then the object tells.
    if (status === 412 || status === 409) return { kind: 'conflict', problem: this.problem('busy') };
    if (status === 404 && !text.includes('NoSuchBucket'))
      return { kind: 'conflict', problem: this.problem('busy') };
    if (status === 404) return { kind: 'refused', problem: this.problem('no-bucket', said) };
    if (status === 401 || status === 403) return { kind: 'refused', problem: this.problem('denied', said) };
    if (status < 500) return { kind: 'refused', problem: this.problem('refused', said) };
    return { kind: 'unknown', problem: this.problem('unreachable', said) };
  }

  problem(why: Problems['state-bucket']['why'], said = ''): Diagnostic {
    const { bucket } = this.#options;
    return error('state-bucket', { why, said: this.#redact(said), bucket }, { subject: this.#subject });
  }
}

function urlOf({ bucket, key, region, endpoint, pathStyle }: S3Options): string | undefined {
  const given = endpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!URL.canParse(given)) return undefined;
  const { origin, protocol, host, hostname } = new URL(given);
  const path = key.split('/').map(encodeURIComponent).join('/');
  // There is no bucket in front of an IP address.
  const isInPath = pathStyle || isIP(hostname.replace(/^\[|\]$/g, ''));
  const url = isInPath ? `${origin}/${bucket}/${path}` : `${protocol}//${bucket}.${host}/${path}`;
  return URL.canParse(url) ? url : undefined;
}
