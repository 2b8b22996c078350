import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Operation, routes } from '../contract/routes.ts';
import type { Dialect } from './dialect.ts';
import { chooseFaults, type FaultChooser } from './faults/choose-faults.ts';
import type { FaultSettings } from './faults/fault-settings.ts';
import { inject } from './faults/inject.ts';
import {
  createHttpServer,
  defaultHttpLimits,
  type Handle,
  type HttpLimits,
  listen,
  stopper,
} from './http-server.ts';
import type { RecordingLog } from './request-log.ts';

/** Everything around the application: sockets with their limits, faults, the log, and an end in good order. */
export async function serveHttp(
  answer: Answer,
  log: RecordingLog,
  { host, port, clock, sleep = wait, stopMs = 10_000, ...options }: HttpOptions,
): Promise<{ address: AddressInfo; stop: () => Promise<void> }> {
  const faults = options.faults && chooseFaults(options.faults);
  const ending = new AbortController();
  const handle = requestHandler(answer, {
    ...{ faults, log, clock },
    sleep: (milliseconds) => sleep(milliseconds, ending.signal),
  });
  const underWay = new Set<Promise<unknown>>();
  const tracked: Handle = (request, outgoing) => {
    const handling = handle(request, outgoing);
    const settled = (): void => void underWay.delete(handling);
    underWay.add(handling);
    handling.then(settled, settled);
    return handling;
  };
  const server = createHttpServer(tracked, { ...defaultHttpLimits, ...options.limits }, options.errorBody);
  if (faults) refuseConnections(server, faults, log);
  const stopServer = stopper(server);
  const address = await listen(server, host, port);
  const stop = async (): Promise<void> => {
    const patience = new AbortController();
    const lost = sleep(stopMs, patience.signal).then(
      () => ending.abort(),
      () => {},
    );
    await stopServer(ending.signal);
    // A client that went away does not end what it asked for, and that needs the database.
    await Promise.allSettled(underWay);
    patience.abort();
    await lost;
  };
  return { address, stop };
}

/**
 * What stands around the application for every request: it is logged and meets its faults. Those come before
 * credentials are looked at, as those of a proxy would. The page for people meets none: it is where to see what
 * the faults did.
 */
function requestHandler(answer: Answer, { faults, log, clock, sleep }: HandlerParts): Handle {
  return async (request, outgoing) => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const operation = operationOf(method, path);
    const chosen = path.startsWith('/api/') ? (faults?.forRequest({ method, operation }) ?? []) : [];
    const end = log.begin({ at: clock(), method, path, operation, faults: chosen.map(({ kind }) => kind) });
    let response: Response | undefined;
    try {
      response = await inject(chosen, () => answer(request), { outgoing, sleep });
    } finally {
      end(response?.status);
    }
    return response ?? RESPONSE_ALREADY_SENT;
  };
}

/** The operation (section 4) with this method at this path, which begins with /api; undefined where there is none. */
function operationOf(method: string, path: string): Operation | undefined {
  return patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.operation;
}

const patterns = (Object.keys(routes) as Operation[]).map((operation) => ({
  operation,
  method: routes[operation].method,
  path: new RegExp(`^/api${routes[operation].path.replace('{id}', '[^/]+')}$`),
}));

function refuseConnections(server: Server, faults: FaultChooser, log: RecordingLog): void {
  server.prependListener('connection', (socket) => {
    if (!faults.forConnection()) return;
    log.refuse();
    socket.resetAndDestroy();
  });
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleepFor(milliseconds, undefined, { signal });
}

/** The application: it answers whatever happens. */
type Answer = (request: Request) => Response | Promise<Response>;

interface HandlerParts {
  readonly faults: FaultChooser | undefined;
  readonly log: RecordingLog;
  readonly clock: () => number;
  /** Waits so many milliseconds; rejects when the service stops for good. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: () => number;
  readonly errorBody: Dialect['errorBody'];
  readonly faults?: FaultSettings;
  readonly limits?: Partial<HttpLimits>;
  readonly stopMs?: number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}
