import { isIPv4 } from 'node:net';
import { isRecordId } from './limits.ts';

/** The five operations (interface, section 4). `{id}` stands for one percent-encoded path segment. */
export const routes = {
  createItem: { method: 'POST', path: '/items', title: 'Create Item', section: '4.1' },
  updateItem: { method: 'PUT', path: '/items/{id}', title: 'Update Item', section: '4.2' },
  createClassifier: { method: 'POST', path: '/classifiers', title: 'Create Classifier', section: '4.3' },
  updateClassifier: { method: 'PUT', path: '/classifiers/{id}', title: 'Update Classifier', section: '4.4' },
  listUserSpaces: { method: 'GET', path: '/users/{id}/spaces', title: 'List user spaces', section: '4.5' },
} as const;

export type Operation = keyof typeof routes;

/** The path of an operation below the base URL, with its id percent-encoded. Throws for one that is another path. */
export function pathOf(operation: Operation, id?: string): string {
  if (id === undefined) return routes[operation].path;
  if (!isRecordId(id)) throw new Error(`No path can be made of the id ${JSON.stringify(id)}.`);
  return routes[operation].path.replace('{id}', () => encodeURIComponent(id));
}

/** Whether a host, plain or as in a URL, is this machine for certain. Other names may lead anywhere. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'));
}
