import type { Operation } from '../contract/routes.ts';
import type {
  CreateClassifierBody,
  CreateItemBody,
  UpdateClassifierBody,
  UpdateItemBody,
  WireClassifier,
  WireItem,
  WireSpaceLink,
} from '../contract/wire.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Answers } from './answer.ts';
import type { Outcome } from './outcome.ts';

export interface CallOptions {
  /**
   * Once it is aborted no attempt starts; one that is under way is waited for. A call of which nothing was sent, or
   * nothing was taken, is then `refused`, reason `interrupted`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Asked before each attempt that comes after a wait: between two attempts, or long in the queue. False: nothing more
   * is sent, as after `signal`.
   */
  readonly mayGoOn?: (() => Promise<boolean>) | undefined;
}

interface CreateOptions extends CallOptions {
  /** The same create sent twice makes one record, so that it may be sent again when no answer was seen. */
  readonly repeatable: boolean;
}

export interface ServiceRequest<O extends Operation> extends CreateOptions {
  readonly operation: O;
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly body?: object;
}

/**
 * The five operations (interface, section 4). No method rejects for what a service, a network or a catalog
 * can cause: every call gives an `Outcome`. A PUT or GET is repeated on transient failures; a POST only where
 * it surely was not taken, or is repeatable.
 */
export interface ItemService {
  /** 4.1 */
  createItem(body: CreateItemBody, options: CreateOptions): Promise<Outcome<WireItem>>;
  /** 4.2 */
  updateItem(id: string, body: UpdateItemBody, options?: CallOptions): Promise<Outcome<WireItem>>;
  /** 4.3 */
  createClassifier(body: CreateClassifierBody, options: CreateOptions): Promise<Outcome<WireClassifier>>;
  /** 4.4 */
  updateClassifier(
    id: string,
    body: UpdateClassifierBody,
    options?: CallOptions,
  ): Promise<Outcome<WireClassifier>>;
  /** 4.5 */
  listUserSpaces(userId: string, options?: CallOptions): Promise<Outcome<readonly WireSpaceLink[]>>;
  /** Sends a planned request, whose path and body are final; the answer is of the given kind. */
  write(
    request: RecordedRequest,
    kind: 'item' | 'classifier',
    options: CreateOptions,
  ): Promise<Outcome<WireItem | WireClassifier>>;
  /** What all the others are made of. */
  send<O extends Operation>(request: ServiceRequest<O>): Promise<Outcome<Answers[O]>>;
  /** Ends all connections at once; for when no call is under way (its outcome would be unseen). */
  close(): Promise<void>;
}
