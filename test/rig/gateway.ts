import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request that arrived, and what the service made of it. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Absent where the service was not asked. */
  status?: number;
  answer?: Readonly<Record<string, unknown>>;
}

/**
 * What happens to one request on its way: through; the connection cut before or after the service has it; after it an
 * answer that proves nothing, so that no client sends it again; or
 * answered here, without the service. `rewrite` changes an answer on its way back.
 */
export type Fate =
  | 'pass'
  | 'cut-before'
  | 'cut-after'
  | 'unclear-after'
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly rewrite: (answer: Record<string, unknown>) => unknown };

/** An answer that leaves open whether a request was taken, and after which no client sends it again. */
export const unclear: Fate = { status: 302, body: '' };

export interface Gateway extends AsyncDisposable {
  /** Base URL for an environment: ends in /api. */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Requests that arrived with one of these methods. */
  count(...methods: readonly string[]): number;
  /** A promise holds the request back. */
  decide: (exchange: Exchange, index: number) => Fate | Promise<Fate>;
}

/** True where an outside referee looks on, who objects to whatever the interface does not document. */
export const isRefereed = process.env.TROVE_TEST_REFEREE !== undefined;

/**
 * Stands between client and service on a real socket: counts what passes and decides what becomes of it. With
 * `TROVE_TEST_REFEREE` (a base address, see test/contract) whatever it lets through goes by way of that referee,
 * which sees what the client really sent and what the service really answered.
 */
export async function createGateway(serviceUrl: string): Promise<Gateway> {
  const exchanges: Exchange[] = [];
  const referee = process.env.TROVE_TEST_REFEREE;
  const gateway = { decide: (() => 'pass') as Gateway['decide'] };
  const underWay = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const path = (request.url ?? '').replace(/^\/api/, '');
    const exchange: Exchange = { method: request.method ?? '', path, body: body ? JSON.parse(body) : {} };
    const fate = await gateway.decide(exchange, exchanges.push(exchange) - 1);
    if (fate === 'cut-before') return void request.socket.destroy();
    if (typeof fate === 'object' && 'status' in fate) {
      return void response
        .writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers })
        .end(fate.body);
    }
    const passed = Object.entries(request.headers).filter(([name]) =>
      ['authorization', 'content-type'].includes(name),
    );
    const sending = fetch((referee ?? serviceUrl) + path, {
      method: exchange.method,
      headers: Object.fromEntries([...passed, ...(referee ? [['x-upstream', serviceUrl]] : [])]),
      ...(body && { body }),
    }).then(async (answer) => ({ answer, answered: await answer.text() }));
    underWay.add(sending);
    const { answer, answered } = await sending.finally(() => underWay.delete(sending));
    exchange.status = answer.status;
    if (isJson(answer)) exchange.answer = JSON.parse(answered);
    if (fate === 'cut-after') return void request.socket.destroy();
    if (fate === 'unclear-after') return void response.writeHead(302).end();
    const sent = typeof fate === 'object' ? JSON.stringify(fate.rewrite(JSON.parse(answered))) : answered;
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(sent);
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return Object.assign(gateway, {
    url: `http://127.0.0.1:${port}/api`,
    exchanges,
    count: (...methods: readonly string[]) =>
      exchanges.filter(({ method }) => methods.includes(method)).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      // The service is stopped next, and a referee objects to what gets no answer.
      await Promise.allSettled(underWay);
      await new Promise((closed) => server.close(closed));
    },
  });
}

/** Errors may be anything: it is up to the dialect of the service. */
function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false;
}
