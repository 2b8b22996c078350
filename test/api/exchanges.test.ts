import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { readExchange } from '../rig/exchange.ts';
import { answer, startRawServer } from './raw-server.ts';

const folder = new URL('../exchanges/', import.meta.url);

describe('the client sends the literal requests and reads the literal responses', () => {
  test.each(readdirSync(folder))('%s', async (file) => {
    const { request, response } = readExchange(new URL(file, folder));
    const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
    await using server = await startRawServer(answer(response.status, response.body, headers));
    const client = createClient({
      baseUrl: server.baseUrl,
      credentials: credentialsOf(request.headers.authorization ?? ''),
      userAgent: 'trove/0.0.0',
    });
    const path = request.path.replace('/api', '');
    const body = request.body === '' ? undefined : JSON.parse(request.body);
    const { method } = request;
    const outcome =
      method === 'GET'
        ? await client.listUserSpaces(decodeURIComponent(path.split('/')[2] ?? ''))
        : await client.write(
            { method: method === 'POST' ? 'POST' : 'PUT', path, body },
            path.startsWith('/items') ? 'item' : 'classifier',
            { repeatable: false },
          );
    await client.close();

    expect(server.requests).toHaveLength(1);
    const [received] = server.requests;
    expect(received?.line).toBe(`${request.method} ${request.path} HTTP/1.1`);
    expect(received?.headers.authorization).toBe(request.headers.authorization);
    expect(received?.headers['content-type']).toBe(request.headers['content-type']);
    expect(received?.headers['content-length']).toBe(request.headers['content-length']);
    expect(received?.headers['user-agent']).toBe('trove/0.0.0');
    expect(received?.headers).not.toHaveProperty('idempotency-key');
    expect(received?.body).toBe(request.body);
    const expected =
      response.status < 300
        ? { kind: 'answered', status: response.status, body: JSON.parse(response.body) }
        : { kind: 'refused', error: { status: response.status, attempts: 1 } };
    expect(outcome).toMatchObject(expected);
  });
});

function credentialsOf(authorization: string) {
  const decoded = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
  const colon = decoded.indexOf(':');
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
