import type { ServerResponse } from 'node:http';
import type { FinalFault, RequestFault } from './choose-faults.ts';
import type { ErrorStatus, InvalidBody, When } from './fault-settings.ts';

/**
 * Lets a request meet its faults: `carryOut` runs after those that stand before the commit, and not at all
 * where one of them ends the request. Gives what is still to be answered, or undefined where the connection
 * was cut.
 */
export async function inject(
  faults: readonly RequestFault[],
  carryOut: () => Response | Promise<Response>,
  { outgoing, sleep }: Surroundings,
): Promise<Response | undefined> {
  const final = faults.find((fault): fault is FinalFault => fault.kind !== 'latency');
  await sleep(latency(faults, 'before-commit'));
  if (final && whenOf(final) === 'before-commit') return damaged(final, undefined, outgoing);
  const response = await carryOut();
  await sleep(latency(faults, 'after-commit'));
  return final ? damaged(final, response, outgoing) : response;
}

function latency(faults: readonly RequestFault[], at: When): number {
  return faults.reduce(
    (sum, fault) => sum + (fault.kind === 'latency' && whenOf(fault) === at ? fault.ms : 0),
    0,
  );
}

function whenOf(fault: RequestFault): When {
  if (fault.kind === 'truncated-body' || fault.kind === 'invalid-body') return 'after-commit';
  return fault.when ?? 'before-commit';
}

async function damaged(
  fault: FinalFault,
  response: Response | undefined,
  outgoing: ServerResponse,
): Promise<Response | undefined> {
  if (fault.kind === 'status') return errorStatus(fault);
  if (fault.kind === 'invalid-body') return invalidBody(fault, response?.status ?? 200);
  if (fault.kind === 'truncated-body' && response) await sendHalf(response, outgoing);
  outgoing.socket?.resetAndDestroy();
  return undefined;
}

function errorStatus({ status, retryAfter }: ErrorStatus): Response {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const message = 'The service was told to fail here.';
  return Response.json({ error: { status, code: 'fault', message, details: [] } }, { status, headers });
}

function invalidBody({ body = 'not-json' }: InvalidBody, status: number): Response {
  const headers = { 'Content-Type': 'application/json' };
  return new Response(bodies[body], { status, headers });
}

const bodies = {
  'not-json': '<html><body>This is not JSON.</body></html>',
  'wrong-shape': '{"result":[{"id":42}]}',
};

/** Sends the head of an answer, which promises its whole body, and the first half of that. */
async function sendHalf(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': body.byteLength };
  outgoing.writeHead(response.status, headers);
  const half = body.subarray(0, Math.floor(body.byteLength / 2));
  // A reset throws away what was not sent yet, so it has to wait.
  await new Promise<void>((sent) => outgoing.write(half, () => sent()));
}

interface Surroundings {
  /** What Node is about to send on the connection that the request came in on. */
  readonly outgoing: ServerResponse;
  /** Waits so many milliseconds; with 0 it may give back at once. Rejects when the service stops for good. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}
