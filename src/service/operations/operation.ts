import type { WireSpaceLink } from '../../contract/api.ts';
import type { Caller } from '../credentials.ts';
import type { Dialect } from '../dialect.ts';
import { unknownId } from '../refusal.ts';
import { checkPathId } from '../request-body.ts';
import type { Store } from '../store/store.ts';

/**
 * One operation of the interface, in one piece of a transaction: checks the body, does the work, gives the answer.
 * Synchronous; a Refusal or another error that it throws undoes what it wrote.
 */
export type OperationHandler = (call: Call, context: Context) => unknown;

export interface Call extends Caller {
  /** The id in the path, decoded; '' where the path has none. */
  readonly id: string;
  /** The JSON value of the body; undefined where the operation has none. */
  readonly data: unknown;
}

export interface Context {
  readonly store: Store;
  /** Gives a new unique id of at most 191 characters. */
  readonly makeId: () => string;
  /** How the service behaves where the interface is silent. */
  readonly dialect: Dialect;
  /** Gives the present time as timestamp text. */
  readonly now: () => string;
}

/** 4.5 List user spaces. Refuses with 400 (an id that is too long) or 404 (the team has no such user). */
export function listUserSpaces({ teamId, id }: Call, { store }: Context): readonly WireSpaceLink[] {
  checkPathId('userId', id);
  const links = store.linksOf(teamId, id);
  if (links === undefined) throw unknownId('user', 'userId');
  return links;
}

/**
 * Refuses the update of an id that the team does not have (sections 4.2 and 4.4), unless the dialect makes a record
 * with this id, which takes an id that answers can show (section 8).
 */
export function checkUnknownId(kind: 'item' | 'classifier', id: string, dialect: Dialect): void {
  const value = dialect['update.unknownId'];
  if (value !== 'created') throw unknownId(kind, 'id', value);
  checkPathId('id', id);
}
