import type { Dialect } from '../dialect.ts';
import type { Outcome } from '../refusal.ts';
import type { Store } from '../store/store.ts';

/** One operation of the interface: read the body, then do the work in one piece of a transaction. */
export interface OperationHandler<Body, Answer> {
  /** Takes the parsed JSON body (undefined where the operation has none); refuses with every problem at once. */
  readBody(data: unknown, dialect: Dialect): Outcome<Body>;
  /** Synchronous: a refusal or an error undoes what it wrote. */
  run(call: Call<Body>, context: Context): Outcome<Answer>;
}

interface Call<Body> {
  readonly teamId: string;
  /** The id in the path, decoded; '' where the path has none. */
  readonly id: string;
  readonly body: Body;
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
