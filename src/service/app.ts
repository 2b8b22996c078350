import { Hono } from 'hono';
import { type Operation, routes } from '../contract/api.ts';
import type { Authenticator, Caller } from './credentials.ts';
import { serialize } from './dialect.ts';
import { createClassifier, updateClassifier } from './operations/classifiers.ts';
import { createItem, updateItem } from './operations/items.ts';
import { type Context, listUserSpaces, type OperationHandler } from './operations/operation.ts';
import { answerPage } from './page/page.ts';
import { errorResponse, internalError, Refusal, wrongMethod } from './refusal.ts';
import { readJson } from './request-body.ts';

const handlers: Readonly<Record<Operation, OperationHandler>> = {
  createItem,
  updateItem,
  createClassifier,
  updateClassifier,
  listUserSpaces,
};

interface AppParts {
  readonly authenticate: Authenticator;
  readonly context: Context;
  readonly onError: (error: unknown) => void;
  /** Gives numbers from 0 to below 1, for what the dialect leaves to chance. */
  readonly random: () => number;
}

type Env = { Variables: { caller: Caller } };

/**
 * The interface as Request -> Response, below `/api` (section 4), every path behind Basic authentication
 * (section 5). At `/`, behind the same, there is a page for people. `onError` hears of what was our own fault;
 * the caller only learns that it happened (500).
 */
export function createApp(parts: AppParts): Hono<Env> {
  const { authenticate, context, onError } = parts;
  // Undecoded, so that a bad escape is seen before it is decoded.
  const app = new Hono<Env>({ getPath: ({ url }) => new URL(url).pathname });
  app.on('ALL', ['/', '/api/*'], async (c, next) => {
    const caller = await authenticate(c.req.header('authorization'));
    checkDecodable(c.req.path);
    c.set('caller', caller);
    return next();
  });
  for (const operation of Object.keys(routes) as Operation[]) addRoute(app, operation, parts);
  app.get('/', (c) => answerPage(c.req.url, c.get('caller'), context));
  app.all('/', () => {
    throw wrongMethod('GET, HEAD');
  });
  app.notFound(() => {
    throw new Refusal('not_found', 'There is nothing at this path.');
  });
  app.onError((error) => {
    const refusal = error instanceof Refusal ? error : internalError();
    if (refusal !== error) onError(error);
    return errorResponse(refusal, context.dialect.errorBody);
  });
  return app;
}

/** Reads the body, does the work in a transaction that waiting requests share, answers when it is durable. */
function addRoute(app: Hono<Env>, operation: Operation, { context, random }: AppParts): void {
  const { store, dialect } = context;
  const { method, path } = routes[operation];
  const pattern = `/api${path.replace('{id}', ':id')}`;
  // Section 4 states no status code. An item that a create overwrites counts as created.
  const status = method === 'POST' && dialect.successStatus === '201-on-create' ? 201 : 200;
  const headers = { 'Content-Type': 'application/json' };
  app.on(method, pattern, async (c) => {
    const caller = c.get('caller');
    const data = method === 'GET' ? undefined : await readJson(c.req.raw);
    const call = { ...caller, id: c.req.param('id') ?? '', data };
    const answer = await store.transact(() => {
      const value = handlers[operation](call, context);
      store.ledger.count(operation, caller, value);
      return value;
    });
    return new Response(serialize(answer, dialect, random), { status, headers });
  });
  app.all(pattern, () => {
    throw wrongMethod(method);
  });
}

function checkDecodable(path: string): void {
  try {
    // The database ends a text at U+0000, and then another id than the one given would be meant.
    if (!decodeURIComponent(path).includes('\0')) return;
  } catch {
    // Refused like a U+0000.
  }
  throw new Refusal('bad_request', 'The path has a % that is not a valid escape.');
}
