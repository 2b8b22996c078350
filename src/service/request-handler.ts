import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { FaultChooser } from './faults/choose-faults.ts';
import { type Connection, strike } from './faults/strike.ts';
import { operationOf } from './operation-of.ts';
import type { RecordingLog } from './request-log.ts';

/**
 * What stands around the application for every request: it is logged, meets its faults, and is waited for at
 * the end. Faults come before credentials are looked at, as those of a proxy would. The page for people meets
 * none: it is where to see what the faults did.
 */
export function createRequestHandler({ answer, faults, log, clock, sleep }: HandlerParts): RequestHandler {
  const underWay = new Set<Promise<unknown>>();

  const handle = async (request: Request, connection: Connection): Promise<Response> => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const operation = operationOf(method, path);
    const chosen = isOfTheInterface(path) ? (faults?.forRequest({ method, operation }) ?? []) : [];
    const end = log.begin({ at: clock(), method, path, operation, faults: chosen.map(({ kind }) => kind) });
    let response: Response | undefined;
    try {
      response = await strike(chosen, () => answer(request), { connection, sleep });
    } finally {
      end(response?.status);
    }
    return response ?? RESPONSE_ALREADY_SENT;
  };
  return {
    handle(request, connection) {
      const handling = handle(request, connection);
      const settled = (): void => void underWay.delete(handling);
      underWay.add(handling);
      handling.then(settled, settled);
      return handling;
    },
    idle: async () => void (await Promise.allSettled(underWay)),
  };
}

function isOfTheInterface(path: string): boolean {
  return path.startsWith('/api/');
}

interface HandlerParts {
  /** The application: it answers whatever happens. */
  readonly answer: (request: Request) => Response | Promise<Response>;
  readonly faults: FaultChooser | undefined;
  readonly log: RecordingLog;
  readonly clock: () => number;
  /** Waits so many milliseconds; rejects when the service stops for good. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export interface RequestHandler {
  handle(request: Request, connection: Connection): Promise<Response>;
  /** Resolves when nothing that began before is still being handled, be its client there or not. */
  idle(): Promise<void>;
}
