import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer as createProxy, type IncomingMessage } from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { finished } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, type Team } from '../rig/team.ts';

const HOST = 'game.example';

/** The team's service as the internet would have it: at https://game.example, with a certificate of its own maker. */
async function overTls(team: Team): Promise<{ readonly port: number; readonly ca: string }> {
  const [key, ca] = ['key.pem', 'ca.pem'].map((name) => join(team.project.folder, name)) as [string, string];
  const name = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST},DNS:localhost`];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', ca];
  await promisify(execFile)('openssl', [...args, ...name]);
  const server = createTls(
    { key: await readFile(key), cert: await readFile(ca) },
    async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const answer = await fetch(new URL(request.url ?? '', team.gateway.url), {
        method: request.method ?? 'GET',
        headers: { authorization, ...(type && { 'content-type': type }) },
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    },
  );
  return { port: await listen(server), ca };
}

/** A proxy that can find game.example, which nothing else can. */
async function proxyTo(port: number): Promise<{ readonly url: string; readonly tunnels: readonly string[] }> {
  const tunnels: string[] = [];
  const proxy = createProxy((_, response) => void response.writeHead(400).end());
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    tunnels.push(request.url ?? '');
    const service = createConnection(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      service.pipe(client).pipe(service);
    });
    for (const socket of [client, service]) socket.on('error', () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, tunnels };
}

async function listen(
  server: ReturnType<typeof createProxy> | ReturnType<typeof createTls>,
): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const isMissing = await promisify(execFile)('openssl', ['version']).then(
  () => false,
  () => true,
);

describe.skipIf(isMissing)('a service behind a proxy with a private certificate', () => {
  async function secured() {
    const team = await createTeam(smallCatalog, 'userId: user_1\n');
    onTestFinished(() => team[Symbol.asyncDispose]());
    const { port, ca } = await overTls(team);
    const path = 'catalog/environments/staging.yaml';
    await team.project.edit(path, team.gateway.url, `https://${HOST}/api`);
    const proxy = await proxyTo(port);
    return { team, ca, proxy };
  }

  test('is reached if the usual variables name both', async () => {
    const { team, ca, proxy } = await secured();
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: ca };
    const applied = await finished(
      team.project.start('apply --yes --new-environment', { env: { ...team.env, ...env } }),
    );
    expect(applied, applied.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('5 created') });
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:443`]));
    expect(await finished(team.project.start('spaces', { env: { ...team.env, ...env } }))).toMatchObject({
      code: 0,
    });
  });

  test('receives nothing without NODE_EXTRA_CA_CERTS, which the error names', async () => {
    const { team, proxy } = await secured();
    const refused = await team.run('apply --yes --new-environment', { env: { HTTPS_PROXY: proxy.url } });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
    expect(team.gateway.exchanges).toEqual([]);
  });

  test('is addressed directly if NO_PROXY names it', async () => {
    const { team, ca, proxy } = await secured();
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: HOST, NODE_EXTRA_CA_CERTS: ca };
    const refused = await team.run('spaces', { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`https://${HOST}/api`) });
    expect(proxy.tunnels).toEqual([]);
  });
});
