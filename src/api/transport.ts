import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { codeOf } from './classify.ts';
import { ExchangeHandler, withCode } from './exchange-handler.ts';
import type { Reply } from './outcome.ts';
import { type ProxySettings, readProxySettings } from './proxy.ts';

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

interface TransportOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Connections that are open at once, of each of the two kinds. */
  readonly connections: number;
  readonly timeouts: Timeouts;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY (or lower case) are read; undefined: never a proxy. */
  readonly proxyFromEnvironment: Readonly<Record<string, string | undefined>> | undefined;
}

interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Absolute path on the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Use a connection of its own. On a kept one, a reset can come after the service has the request. */
  readonly fresh: boolean;
  /** Once it is aborted nothing is sent; a request whose first byte is out goes on. */
  readonly signal: AbortSignal | undefined;
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
// the answer, with the ID in it, would be lost. This is undici's only event that gives the socket, behind a proxy too.
subscribe('undici:client:connected', (event) => {
  const { socket } = event as { readonly socket: Socket };
  const read = socket.read.bind(socket);
  socket.read = () => {
    const chunk: Buffer | null = read();
    const length = chunk?.[0] === 0x48 ? (CONTINUE.exec(chunk.toString('latin1'))?.[0].length ?? 0) : 0;
    return chunk && length === chunk.length ? read() : (chunk?.subarray(length) ?? null);
  };
});

/** Opens nothing yet. An unusable proxy variable shows as a failure of every request. */
export function createTransport(options: TransportOptions): Transport {
  const proxy = readProxySettings(options.origin, options.proxyFromEnvironment);
  if (proxy.kind === 'invalid') return unusableTransport(proxy.variable);
  const kept = createDispatcher(options, proxy, 1);
  const fresh = createDispatcher(options, proxy, 0);
  return {
    send: (request) => sendOnce(request.fresh ? fresh : kept, options, request),
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

function unusableTransport(variable: string): Transport {
  const reply: Reply = { kind: 'no-reply', error: withCode(`INVALID_${variable}`), sent: false };
  return { send: async () => reply, close: async () => {} };
}

/** With `pipelining` 0 undici asks the server to close each connection and never uses one again. */
function createDispatcher(options: TransportOptions, proxy: ProxySettings, pipelining: 0 | 1): Dispatcher {
  const settings = {
    connections: options.connections,
    pipelining,
    connect: { timeout: options.timeouts.connectMs },
    headersTimeout: options.timeouts.headersMs,
    bodyTimeout: options.timeouts.idleMs,
  };
  // All three are named, or undici would read the environment of this process instead.
  return proxy.kind === 'proxy' ? new EnvHttpProxyAgent({ ...settings, ...proxy }) : new Agent(settings);
}

async function sendOnce(dispatcher: Dispatcher, options: TransportOptions, request: TransportRequest) {
  const reply = await dispatchOnce(dispatcher, options, request);
  // undici's word for a request that can't be written down: a mistake of ours, not of the network.
  if (reply.kind === 'no-reply' && codeOf(reply.error) === 'UND_ERR_INVALID_ARG') throw reply.error;
  return reply;
}

function dispatchOnce(
  dispatcher: Dispatcher,
  { origin, timeouts }: TransportOptions,
  request: TransportRequest,
) {
  const { method, path, headers, body = null, signal } = request;
  return new Promise<Reply>((resolve) => {
    const exchange = new ExchangeHandler((reply) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      resolve(reply);
    }, signal);
    const interrupt = () => exchange.interrupt();
    const timer = setTimeout(() => exchange.stop(withCode('ANSWER_TIMEOUT')), timeouts.answerMs);
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted) interrupt();
    else dispatcher.dispatch({ origin, method, path, headers, body }, exchange);
  });
}
