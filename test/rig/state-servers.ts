import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What becomes of a request: `lost-before` and `lost-after` cut it off before or after it was carried out. */
type Fate = 'pass' | 'lost-before' | 'lost-after';

export interface StateServer extends AsyncDisposable {
  readonly url: string;
  /** What is stored, by path. */
  readonly stored: Map<string, string>;
  readonly requests: string[];
  decide: (request: { readonly method: string; readonly number: number }) => Fate | Promise<Fate>;
}

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Handle = (
  request: { readonly method: string; readonly url: URL; readonly body: string } & Pick<
    IncomingMessage,
    'headers'
  >,
  stored: Map<string, string>,
) => Reply;

async function serve(handle: Handle): Promise<StateServer> {
  const stored = new Map<string, string>();
  const requests: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', headers } = request;
    const body = await text(request);
    const fate = await server.decide({ method, number: requests.push(`${method} ${request.url}`) });
    if (fate === 'lost-before') return response.destroy();
    const reply = handle({ method, url: new URL(request.url ?? '/', server.url), body, headers }, stored);
    if (fate === 'lost-after') return response.destroy();
    return response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const server: StateServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    stored,
    requests,
    decide: () => 'pass',
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
  return server;
}

/**
 * A server with the protocol of Terraform's `http` backend, as the real `terraform` uses it; with the rules of GitLab, one
 * that refuses a serial that it has, and saves nothing without a body.
 */
export function terraformServer({ isGitLab = false, hasLock = true } = {}): Promise<StateServer> {
  const locks = new Map<string, string>();
  const idOf = (info: string | undefined) => (info === undefined ? undefined : JSON.parse(info).ID);
  return serve(({ method, url: { pathname: path, searchParams }, body }, stored) => {
    const lock = locks.get(path);
    if (method === 'GET')
      return stored.has(path) ? { status: 200, body: stored.get(path) ?? '' } : { status: 404 };
    if (method === 'LOCK' && hasLock) {
      if (lock !== undefined) return { status: 409, body: lock };
      locks.set(path, body);
      return { status: 200 };
    }
    if (method === 'UNLOCK' && hasLock) {
      if (lock !== undefined && body !== '' && idOf(lock) !== idOf(body)) return { status: 409, body: lock };
      locks.delete(path);
      return { status: 200 };
    }
    if (method !== 'POST') return { status: 405 };
    if (lock !== undefined && idOf(lock) !== searchParams.get('ID')) return { status: 409, body: lock };
    if (isGitLab) {
      if (body === '') return { status: 204 };
      const { serial } = JSON.parse(body);
      if (!Number.isInteger(serial)) return { status: 422 };
      const latest = JSON.parse(stored.get(path) ?? '{"serial":0}').serial;
      if (serial <= latest) return { status: 422, body: 'Serial has already been taken' };
    }
    stored.set(path, body);
    return { status: 200 };
  });
}

/**
 * A store with S3's conditional writes; `etags: 'unquoted'`: it knows them without their quotes only, as
 * radosgw does. `isSilent`: it gives none to a write.
 */
export function s3Server({
  etags = 'quoted',
  ignores = [] as readonly string[],
  isSilent = false,
} = {}): Promise<StateServer> {
  const tagOf = (body: string) => createHash('md5').update(body).digest('hex');
  return serve(({ method, url: { pathname: path }, body, headers }, stored) => {
    const error = (status: number, code: string) => ({
      status,
      body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} it is</Message></Error>`,
    });
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=key/'))
      return error(403, 'AccessDenied');
    if (!path.startsWith('/bucket/')) return error(404, 'NoSuchBucket');
    const before = stored.get(path);
    if (method === 'GET')
      return before === undefined
        ? error(404, 'NoSuchKey')
        : { status: 200, body: before, headers: { etag: `"${tagOf(before)}"` } };
    if (method !== 'PUT') return error(405, 'MethodNotAllowed');
    const { 'if-match': match, 'if-none-match': none } = headers;
    const known =
      before === undefined ? undefined : etags === 'quoted' ? `"${tagOf(before)}"` : tagOf(before);
    const isNew = none === undefined || before === undefined || ignores.includes('if-none-match');
    const isKnown = match === undefined || match === known || ignores.includes('if-match');
    if (!isNew || !isKnown) return error(412, 'PreconditionFailed');
    stored.set(path, body);
    return { status: 200, ...(!isSilent && { headers: { etag: `"${tagOf(body)}"` } }) };
  });
}
