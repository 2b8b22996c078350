import { Hono, type Context as HonoContext } from 'hono';
import { type Operation, routes } from '../contract/routes.ts';
import type { Authenticator, Caller } from './credentials.ts';
import { serialize, successStatus } from './dialect-behavior.ts';
import { createClassifier, updateClassifier } from './operations/classifiers.ts';
import { createItem, updateItem } from './operations/items.ts';
import type { Context, OperationHandler } from './operations/operation.ts';
import { listUserSpaces } from './operations/spaces.ts';
import { answerPage } from './page/page.ts';
import {
  badRequest,
  errorResponse,
  internalError,
  missingCredentials,
  type Outcome,
  type Refusal,
  unauthorized,
  unknownPath,
  wrongMethod,
} from './refusal.ts';
import { readRequestBody } from './request-body.ts';

/**
 * The interface as Request -> Response, below `/api` (section 4), every path behind Basic authentication
 * (section 5). At `/`, behind the same, there is a page for people. `onError` hears of what was our own fault;
 * the caller only learns that it happened (500).
 */
export function createApp(parts: AppParts): Hono<Env> {
  const { authenticate, context, onError } = parts;
  const refuse = (refusal: Refusal) => errorResponse(refusal, context.dialect.errorBody);
  const app = new Hono<Env>({ getPath: rawPath });
  app.on('ALL', ['/', '/api/*'], async (c, next) => {
    const header = c.req.header('authorization');
    const caller = await authenticate(header);
    if (caller === undefined) return refuse(header === undefined ? missingCredentials : unauthorized);
    if (!isDecodable(c.req.path)) return refuse(badRequest('The path has a % that is not a valid escape.'));
    c.set('caller', caller);
    return next();
  });
  for (const operation of Object.keys(routes) as Operation[]) {
    addRoute(app, operation, parts, refuse);
  }
  app.get('/', (c) => answerPage(c.req.url, c.get('caller'), context));
  app.all('/', () => refuse(wrongMethod('GET, HEAD')));
  app.notFound(() => refuse(unknownPath));
  app.onError((error) => {
    onError(error);
    return refuse(internalError);
  });
  return app;
}

function addRoute(app: Hono<Env>, operation: Operation, parts: AppParts, refuse: Refuse): void {
  const { method } = routes[operation];
  const path = `/api${routes[operation].path.replace('{id}', ':id')}`;
  app.on(method, path, async (c) => {
    const outcome = await outcomeOf(c, operation, parts.context);
    return outcome.ok ? success(operation, outcome.value, parts) : refuse(outcome.refusal);
  });
  app.all(path, () => refuse(wrongMethod(method)));
}

/** Read the body, do the work in a transaction with whoever else is waiting; settles when it is durable. */
async function outcomeOf(
  c: HonoContext<Env>,
  operation: Operation,
  context: Context,
): Promise<Outcome<unknown>> {
  const handler: Handler = handlers[operation];
  const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD';
  const data = hasBody ? await readRequestBody(c.req.raw) : undefined;
  if (data && !data.ok) return data;
  const body = handler.readBody(data?.value, context.dialect);
  if (!body.ok) return body;
  const caller = c.get('caller');
  const call = { teamId: caller.teamId, id: c.req.param('id') ?? '', body: body.value };
  return context.store.transact(() => {
    const outcome = handler.run(call, context);
    if (outcome.ok) context.store.ledger.count(operation, caller, outcome.value);
    return outcome;
  });
}

function success(operation: Operation, value: unknown, { context: { dialect }, random }: AppParts): Response {
  return Response.json(serialize(value, dialect, random), { status: successStatus(operation, dialect) });
}

/** Undecoded, so that a bad escape is seen before it is decoded. */
function rawPath(request: Request): string {
  return new URL(request.url).pathname;
}

function isDecodable(path: string): boolean {
  try {
    // The database ends a text at U+0000, and then another id than the one given would be meant.
    return !decodeURIComponent(path).includes('\0');
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

interface AppParts {
  readonly authenticate: Authenticator;
  readonly context: Context;
  readonly onError: (error: unknown) => void;
  /** Gives numbers from 0 to below 1, for what the dialect leaves to chance. */
  readonly random: () => number;
}

type Env = { Variables: { caller: Caller } };
type Refuse = (refusal: Refusal) => Response;
type Handler = OperationHandler<unknown, unknown>;
