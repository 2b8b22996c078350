import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** One request as it arrived; header names in lower case. */
export interface RawRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of the connection it came on, from 1. */
  readonly connection: number;
}

/** What the server does with a request: bytes to write, or anything at all to the socket. */
export type Play = string | Buffer | ((socket: Socket) => void);

/**
 * A TCP server that plays the given responses in turn, and the last one again and again. It writes literal bytes
 * and records every request that it received whole, on whichever connection.
 */
export async function startRawServer(...plays: readonly [Play, ...Play[]]) {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on('error', () => {});
    let pending: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (let next = takeRequest(pending); next !== null; next = takeRequest(pending)) {
        pending = next.rest;
        requests.push({ ...next.request, connection });
        const play = plays[Math.min(requests.length, plays.length) - 1];
        if (typeof play === 'function') play(socket);
        else if (play !== undefined) socket.write(play);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { requests, port, baseUrl: `http://127.0.0.1:${port}/api`, close, [Symbol.asyncDispose]: close };
}

function takeRequest(bytes: Buffer): { request: Omit<RawRequest, 'connection'>; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [line = '', ...rest] = bytes.subarray(0, end).toString().split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header): [string, string] => {
      const [name = '', ...value] = header.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < bodyEnd) return null;
  const body = bytes.subarray(end + 4, bodyEnd).toString();
  return { request: { line, headers, body }, rest: bytes.subarray(bodyEnd) };
}

/** The bytes of a response with the right Content-Length. */
export function answer(
  status: number | string,
  body: string | Buffer,
  headers: readonly string[] = [],
): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} Some Words`, `Content-Length: ${bytes.length}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

export const reset: Play = (socket) => socket.resetAndDestroy();
export const hangUp: Play = (socket) => socket.destroy();
export const stall: Play = () => {};
