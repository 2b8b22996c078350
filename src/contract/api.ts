import { isIPv4 } from 'node:net';
import type {
  CreateClassifier,
  CreateItem,
  UpdateClassifier,
  UpdateItem,
} from '../../generated/wire-types.js';

/**
 * The bodies that travel, as published (interface, sections 2 and 4). The build makes their types from
 * schemas/item-service.openapi.yaml, so that no field is listed here.
 */
export type {
  AttributeRange as WireRange,
  Classifier as WireClassifier,
  ClassifierOption as WireOption,
  Item as WireItem,
  ItemAttribute as WireItemAttribute,
  ItemClassifier as WireAssignment,
  UserSpaceLink as WireSpaceLink,
} from '../../generated/wire-types.js';

export type CreateItemBody = CreateItem;
export type CreateClassifierBody = CreateClassifier;

/** 4.2 Update Item, where the profile may allow null as a thumbnail. */
export type UpdateItemBody = Omit<UpdateItem, 'thumbnail'> & { readonly thumbnail?: string | null };

/** 4.4 Update Classifier: `name` is the only documented field; the profile may allow options beside it. */
export type UpdateClassifierBody = UpdateClassifier & {
  readonly classifierOptions?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly dropRateMultiplier: number;
  }[];
};

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

/** The ID in the path of an operation, decoded; a path that was redacted may hold what can't be. Undefined for a create. */
export function idIn(path: string): string | undefined {
  const [, , id] = path.split('/');
  try {
    return id && decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Whether a host, plain or as in a URL, is this machine for certain. Other names may lead anywhere. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'));
}

/** Section 8: ids, names, thumbnails and team ids have at most this many characters (code points). */
export const MAX_TEXT = 191;

/** Begins what stands in a recorded answer in the place of a credential. */
export const REDACTED = '[redacted';

/**
 * No path can be made of these: empty or dots (another path), half a surrogate pair (not encodable). The last would
 * be taken for a promise in a plan.
 */
const UNUSABLE = /^\.{0,2}$|\p{Surrogate}|^\$knownAfterApply/u;

/** Whether a text can be the id of a record (section 2), and stand in a path (sections 4.2 and 4.4). */
export function isRecordId(text: string): boolean {
  return !UNUSABLE.test(text) && [...text].length <= MAX_TEXT;
}
