import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Dialect } from './dialect.ts';
import { chooseFaults, type FaultChooser } from './faults/choose-faults.ts';
import type { FaultSettings } from './faults/fault-settings.ts';
import { createHttpServer, defaultHttpLimits, type HttpLimits, listen, stopper } from './http-server.ts';
import { createRequestHandler } from './request-handler.ts';
import type { RecordingLog } from './request-log.ts';

/** Everything around the application: sockets with their limits, faults, the log, and an end in good order. */
export async function serveHttp(
  answer: (request: Request) => Response | Promise<Response>,
  log: RecordingLog,
  { host, port, clock, sleep = wait, stopMs = 10_000, ...options }: HttpOptions,
): Promise<{ address: AddressInfo; stop: () => Promise<void> }> {
  const faults = options.faults && chooseFaults(options.faults);
  const ending = new AbortController();
  const handler = createRequestHandler({
    answer,
    faults,
    log,
    clock,
    sleep: (milliseconds) => sleep(milliseconds, ending.signal),
  });
  const server = createHttpServer(
    handler.handle,
    { ...defaultHttpLimits, ...options.limits },
    options.errorBody,
  );
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
    await handler.idle();
    patience.abort();
    await lost;
  };
  return { address, stop };
}

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
