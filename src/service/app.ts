import { Hono, type Context as HonoContext } from 'hono';
import { type Operation, routes } from '../contract/routes.ts';
import type { Authenticator, Caller } from './authenticator.ts';
import { successStatus } from './choices.ts';
import {
  errorResponse,
  internalError,
  missingCredentials,
  unauthorized,
  unknownPath,
  wrongMethod,
} from './error-response.ts';
import { createClassifier } from './operations/create-classifier.ts';
import { createItem } from './operations/create-item.ts';
import { listUserSpaces } from './operations/list-user-spaces.ts';
import type { Context, OperationHandler } from './operations/operation.ts';
import { updateClassifier } from './operations/update-classifier.ts';
import { updateItem } from './operations/update-item.ts';
import { badRequest, type Outcome } from './refusal.ts';
import { readRequestBody } from './request-body.ts';

/**
 * The interface as Request -> Response, below `/api` (section 4), every path behind Basic authentication
 * (section 5). `onError` hears of what was our own fault; the caller only learns that it happened (500).
 */
export function createApp({ authenticate, context, onError }: AppParts): Hono<Env> {
  const app = new Hono<Env>({ getPath: rawPath });
  app.use('/api/*', async (c, next) => {
    const header = c.req.header('authorization');
    const caller = await authenticate(header);
    if (caller === undefined) return errorResponse(header === undefined ? missingCredentials : unauthorized);
    if (!isDecodable(c.req.path))
      return errorResponse(badRequest('The path has a % that is not a valid escape.'));
    c.set('caller', caller);
    return next();
  });
  for (const operation of Object.keys(routes) as Operation[]) {
    addRoute(app, operation, context);
  }
  app.notFound(() => errorResponse(unknownPath));
  app.onError((error) => {
    onError(error);
    return errorResponse(internalError);
  });
  return app;
}

function addRoute(app: Hono<Env>, operation: Operation, context: Context): void {
  const { method } = routes[operation];
  const path = `/api${routes[operation].path.replace('{id}', ':id')}`;
  app.on(method, path, (c) => answer(c, handlers[operation], context));
  app.all(path, () => errorResponse(wrongMethod(method)));
}

/** Read the body, do the work in a transaction with whoever else is waiting, answer when it is durable. */
async function answer(c: HonoContext<Env>, handler: Handler, context: Context): Promise<Response> {
  const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD';
  const data = hasBody ? await readRequestBody(c.req.raw) : undefined;
  if (data && !data.ok) return errorResponse(data.refusal);
  const body = handler.readBody(data?.value);
  if (!body.ok) return errorResponse(body.refusal);
  const call = { teamId: c.get('caller').teamId, id: c.req.param('id') ?? '', body: body.value };
  const outcome: Outcome<unknown> = await context.store.transact(() => handler.run(call, context));
  return outcome.ok
    ? Response.json(outcome.value, { status: successStatus })
    : errorResponse(outcome.refusal);
}

/** Undecoded, so that a bad escape is seen before it is decoded. */
function rawPath(request: Request): string {
  return new URL(request.url).pathname;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const handlers = {
  createItem,
  updateItem,
  createClassifier,
  updateClassifier,
  listUserSpaces,
} satisfies Record<Operation, unknown>;

export interface AppParts {
  readonly authenticate: Authenticator;
  readonly context: Context;
  readonly onError: (error: unknown) => void;
}

type Env = { Variables: { caller: Caller } };
type Handler = OperationHandler<unknown, unknown>;
