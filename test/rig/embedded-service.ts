import { createConnection } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import * as wire from '../../generated/wire.js';
import { type RunningService, type ServiceOptions, startService } from '../../src/service/server.ts';
import type { World } from '../../src/service/world.ts';

/** Two teams with a user each. The exchanges in test/exchanges are written for `designer` and this world. */
export const world: World = {
  teams: [
    { id: 'team_7', name: 'Armourers' },
    { id: 'team_8', name: 'Alchemists' },
  ],
  users: [
    { id: 'user_1', username: 'designer', password: 'correct horse', teamId: 'team_7' },
    { id: 'user_2', username: 'rival', password: 'pass:with:colons é', teamId: 'team_8' },
    { id: 'user_3', username: 'newcomer', password: '', teamId: 'team_7' },
  ],
  spaces: [{ id: 'space_1', name: 'Armoury', cols: 8, rows: 5, teamId: 'team_7', users: ['user_1'] }],
};

export const designer = basic('designer', 'correct horse');
export const rival = basic('rival', 'pass:with:colons é');

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * Starts the real service for one test: in memory unless told otherwise, ids `id_0`, `id_1`, ... in order. The
 * test fails when the service itself did.
 */
export async function testService(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
  let next = 0;
  const ids = (): string => `id_${next++}`;
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const service = await startService({ database: ':memory:', world, ids, onError, ...options });
  onTestFinished(async () => {
    await service.close();
    expect(failures).toEqual([]);
  });
  return service;
}

/**
 * One JSON request; a `body` that is text is sent as it is. Every success must be what the OpenAPI document
 * says of its operation, and every error the service's JSON error.
 */
export async function call<Body = unknown>(
  service: RunningService,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: designer, ...(body === undefined ? {} : json), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = JSON.parse(await response.text());
  if (response.ok) expectDocumented(path, answer);
  else expect(answer).toEqual({ error: { ...errorShape, status: response.status } });
  return { status: response.status, headers: response.headers, body: answer };
}

/** The fields that an error names, with what it says of them. */
export function problems({ body }: { readonly body: unknown }): Record<string, string> {
  const { error } = body as { error: { details: { field: string; message: string }[] } };
  return Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
}

/** Holds the body of a success to what the OpenAPI document says of the operation at this path. */
export function expectDocumented(path: string, body: unknown): void {
  const collection = path.split('/')[1] ?? '';
  const validate = { items: wire.Item, classifiers: wire.Classifier, users: wire.UserSpaceLinks }[collection];
  if (validate === undefined) throw new Error(`no operation answers at ${path}`);
  validate(body);
  expect(validate.errors ?? []).toEqual([]);
}

/** Sends bytes over a socket of their own and gives the one whole response, or what came before it was closed. */
export async function sendBytes(port: number, bytes: string | Uint8Array): Promise<string> {
  return (await rawExchange(port, bytes, isWhole)).received;
}

function isWhole(response: string): boolean {
  const [head = '', body] = response.split('\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return body !== undefined && Buffer.byteLength(body) === Number(length);
}

const json = { 'content-type': 'application/json' };
const errorShape = {
  status: expect.any(Number),
  code: expect.any(String),
  message: expect.any(String),
  details: expect.any(Array),
};

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** What a socket got, and how it ended: by the other side's close or by its reset. */
export interface RawExchange {
  readonly received: string;
  readonly end: 'closed' | 'reset';
}

/** Sends bytes over a socket of their own and waits for the other side to end it, or for what is enough. */
export function rawExchange(
  port: number,
  bytes: string | Uint8Array = '',
  isEnough: (received: string) => boolean = () => false,
): Promise<RawExchange> {
  return new Promise((resolve, reject) => {
    let received = '';
    let end: RawExchange['end'] = 'closed';
    const socket = createConnection(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      if (isEnough(received)) socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
      end = 'reset';
    });
    socket.on('close', () => resolve({ received, end }));
  });
}

/** A request as text. `Connection: close` asks the other side to end the connection after its answer. */
export function rawRequest(
  method: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): string {
  const all = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
