import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import { isLoopback } from '../contract/api.ts';
import type { Credentials } from '../contract/redact.ts';
import { MAX_ANSWER_BYTES, type Reply } from './outcome.ts';
import { attempted } from './traces.ts';

/** All in milliseconds. */
export interface Timeouts {
  readonly connectMs: number;
  /** From the request's last byte to the answer's headers. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. */
  readonly idleMs: number;
  /** From start to end, however steadily the answer drips. */
  readonly answerMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  idleMs: 30_000,
  answerMs: 120_000,
};

type Variables = Readonly<Record<string, string | undefined>>;

interface TransportOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Connections that are open at once, of each of the two kinds. */
  readonly connections: number;
  readonly timeouts: Timeouts;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY (or lower case) are read; undefined: never a proxy. */
  readonly proxyFromEnvironment: Variables | undefined;
}

interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Absolute path on the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Use a connection of its own. On a kept one, a reset can come after the service has the request. */
  readonly fresh: boolean;
  /** Once it is aborted nothing is sent; a request whose first byte is out goes on. */
  readonly signal: AbortSignal | undefined;
  /**
   * Asked once there is a connection, which may take long, right before the first byte of a request with a body. Does
   * not reject.
   */
  readonly mayStart?: (() => Promise<boolean>) | undefined;
}

export interface Transport {
  /** Sends a request once, never twice, and follows no redirect. */
  send(request: TransportRequest): Promise<Reply>;
  /** Ends all connections at once, also those that only come about; for when nothing is under way. */
  close(): Promise<void>;
}

/** `100 Continue`, once or more, with a header or without. */
const CONTINUE = /^(?:HTTP\/1\.[01] 100\b[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/;

// Some servers send it unasked, in a piece of its own or right before the answer. undici would end the connection, and
// the answer, with the ID in it, would be lost. So would an answer whose head undici objects to behind a Content-Length.
// This is undici's only event that gives the socket, behind a proxy too.
subscribe('undici:client:connected', (event) => {
  const { socket } = event as { readonly socket: Socket };
  const read = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let last: Buffer | null = null;
  socket.read = () => {
    const chunk: Buffer | null = read();
    const length = chunk?.[0] === 0x48 ? (CONTINUE.exec(chunk.toString('latin1'))?.[0].length ?? 0) : 0;
    last = chunk && length === chunk.length ? read() : (chunk?.subarray(length) ?? null);
    return last;
  };
  socket.destroy = (error) => {
    const isRejected = error instanceof errors.ResponseContentLengthMismatchError && last !== null;
    const rejected = { code: 'HPE_INVALID', data: last?.toString() };
    return destroy(isRejected ? Object.assign(error, rejected) : error);
  };
});

// A proxy that closes the tunnel without a word would be asked again at once, and so on without an end: this is the one
// code that undici does not take for the end of a connection.
subscribe('undici:client:connectError', (event) => {
  const { error } = event as { readonly error: NodeJS.ErrnoException };
  if (error.code === 'UND_ERR_SOCKET') error.code = 'ECONNRESET';
});

/** Opens nothing yet. An unusable proxy variable shows as a failure of every request. */
export function createTransport(options: TransportOptions): Transport {
  const { origin, connections, timeouts } = options;
  const proxies = readProxies(origin, options.proxyFromEnvironment);
  if ('invalid' in proxies) {
    const error = withCode(`INVALID_${proxies.invalid}`);
    const reply: Reply = { headers: {}, body: Buffer.alloc(0), error, sent: false };
    return { send: async () => reply, close: async () => {} };
  }
  const { connectMs, headersMs, idleMs } = timeouts;
  const limits = { connect: { timeout: connectMs }, headersTimeout: headersMs, bodyTimeout: idleMs };
  const agent = (pipelining: 0 | 1) =>
    new EnvHttpProxyAgent({ ...limits, ...proxies, connections, pipelining });
  const kept = agent(1);
  // With `pipelining` 0 undici asks the server to close each connection and never uses one again.
  const fresh = agent(0);
  return {
    send: (request) => exchange(request.fresh ? fresh : kept, origin, timeouts.answerMs, request),
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

type Proxies =
  /** An empty address is none. All three are named, or undici would read the environment of this process. */
  | { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string }
  /** The variable that does not hold the address of a proxy. */
  | { readonly invalid: 'HTTP_PROXY' | 'HTTPS_PROXY' };

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, each also in lower case, which wins as it does in curl. An address
 * without a scheme is one of plain HTTP. A loopback `origin` never has a proxy.
 */
export function readProxies(origin: string, variables: Variables = {}): Proxies {
  if (isLoopback(new URL(origin).hostname)) return { httpProxy: '', httpsProxy: '', noProxy: '' };
  const read = (name: string) => variables[name.toLowerCase()] || variables[name] || '';
  const addressIn = (name: string) => {
    const address = read(name);
    return address === '' || address.includes('://') ? address : `http://${address}`;
  };
  const [httpProxy, httpsProxy] = [addressIn('HTTP_PROXY'), addressIn('HTTPS_PROXY')];
  if (!isAddress(httpProxy)) return { invalid: 'HTTP_PROXY' };
  if (!isAddress(httpsProxy)) return { invalid: 'HTTPS_PROXY' };
  return { httpProxy, httpsProxy, noProxy: read('NO_PROXY') };
}

function isAddress(address: string): boolean {
  if (address === '') return true;
  return /^https?:/i.test(address) && attempted(() => credentialsIn(address)) !== undefined;
}

/** With empty ones if an address has none. Throws for what undici can't read. */
function credentialsIn(address: string): Credentials {
  const { username, password } = new URL(address);
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** What Trove tells a proxy, which may repeat it in its answers. */
export function proxyCredentials(origin: string, variables: Variables | undefined): readonly Credentials[] {
  const proxies = readProxies(origin, variables);
  if ('invalid' in proxies) return [];
  return [proxies.httpProxy, proxies.httpsProxy].filter((address) => address !== '').map(credentialsIn);
}

function exchange(
  dispatcher: Dispatcher,
  origin: string,
  answerMs: number,
  { signal, fresh: _, mayStart, headers, body, ...request }: TransportRequest,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler((reply) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      // A request that can't be written down: a mistake of ours, not of the network.
      const isOurs = reply.status === undefined && reply.error instanceof errors.InvalidArgumentError;
      if (isOurs) reject(reply.error);
      else resolve(reply);
    }, signal);
    const held = body === null || !mayStart ? undefined : handler.hold(body, mayStart);
    const interrupt = () => handler.interrupt();
    // A process that was stopped for as long reads first what came meanwhile: it may be the only trace of a record.
    const timer = setTimeout(() => setImmediate(() => handler.stop(withCode('ANSWER_TIMEOUT'))), answerMs);
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted) interrupt();
    else
      dispatcher.dispatch(
        {
          ...request,
          origin,
          headers: held ? { ...headers, 'content-length': `${Buffer.byteLength(body ?? '')}` } : headers,
          // What undici reads piece by piece has its head written with the first one. Its types know no iterables.
          body: (held as Readable | undefined) ?? body,
        },
        handler,
      );
  });
}

/** An error of our own, told apart by its code as those of the network are. */
function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Collects one answer from undici's callbacks and gives exactly one reply, also when told to stop waiting. */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #settle: (reply: Reply) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #isHeld = false;
  #sent = false;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { readonly status?: number; readonly headers: Reply['headers'] } = { headers: {} };

  /** Once `signal` is aborted the exchange does not start; one that has started goes on. */
  constructor(settle: (reply: Reply) => void, signal?: AbortSignal) {
    this.#settle = settle;
    this.#signal = signal;
  }

  /** The body, which the connection gets once the request may start, and the head with it. */
  hold(body: string, mayStart: () => Promise<boolean>): AsyncIterable<Buffer> {
    this.#isHeld = true;
    const begin = () => {
      this.interrupt();
      this.#sent = !this.#settled;
      return this.#sent;
    };
    return (async function* () {
      if (!(await mayStart()) || !begin()) throw withCode('INTERRUPTED');
      yield Buffer.from(body);
    })();
  }

  // Comes right before the first byte is written. undici may put a request on a second connection when the
  // first one ends; whether that is safe is not for it to decide, so a second start is stopped.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.interrupt();
    if (this.#settled || this.#controller) {
      controller.abort(withCode('ECONNRESET'));
      return;
    }
    this.#controller = controller;
    this.#sent = !this.#isHeld;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Reply['headers']): void {
    // To a request that is held back nothing can be an answer.
    if (!this.#sent) this.stop(withCode('UND_ERR_SOCKET'));
    // Informational answers (103, say) come before the real one.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) this.stop(withCode('ANSWER_TOO_LARGE'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#head.status === undefined) this.stop(withCode('UND_ERR_SOCKET'));
    else this.#give({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.stop(error);
  }

  /** Gives up waiting for a connection if the signal says so. What has begun to leave this machine goes on. */
  interrupt(): void {
    if (this.#signal?.aborted && !this.#sent) this.stop(withCode('INTERRUPTED'));
  }

  /** Ends the exchange with what is there: nothing more is sent or read. */
  stop(error: Error): void {
    this.#give({ error });
    this.#controller?.abort(error);
  }

  #give(end: Pick<Reply, 'error'>): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle({ ...this.#head, body: Buffer.concat(this.#chunks), sent: this.#sent, ...end });
  }
}
