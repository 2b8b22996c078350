import { type Operation, routes } from '../contract/routes.ts';

const patterns = (Object.keys(routes) as Operation[]).map((operation) => ({
  operation,
  method: routes[operation].method,
  path: new RegExp(`^/api${routes[operation].path.replace('{id}', '[^/]+')}$`),
}));

/** The operation (section 4) with this method at this path, which begins with /api; undefined where there is none. */
export function operationOf(method: string, path: string): Operation | undefined {
  return patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.operation;
}
