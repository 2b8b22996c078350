import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface GitServer extends AsyncDisposable {
  readonly url: string;
  /** What was asked for, in order; requests that were refused for their token are not among them. */
  readonly requests: readonly string[];
}

/** Git's own server for smart HTTP, for the repositories in a folder and whoever has the token. */
export async function serveGit(folder: string, token: string): Promise<GitServer> {
  const requests: string[] = [];
  const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    requests.push(`${request.method} ${request.url}`);
    await answer(folder, request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://git');
  const { headers } = request;
  const body = await buffer(request);
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_USER: 'runner',
      CONTENT_TYPE: headers['content-type'],
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // It does not read the body of a request that it only refuses.
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  const output = await buffer(child.stdout);
  const end = output.indexOf('\r\n\r\n');
  const fields = output.subarray(0, end).toString().split('\r\n');
  const given = new Map(fields.map((field) => field.split(': ') as [string, string]));
  const status = Number.parseInt(given.get('Status') ?? '200', 10);
  given.delete('Status');
  response.writeHead(status, Object.fromEntries(given)).end(output.subarray(end + 4));
}
