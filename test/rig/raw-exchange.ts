import { createConnection } from 'node:net';

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
