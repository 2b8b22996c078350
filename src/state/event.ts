import type { Address } from '../catalog/model.ts';
import type { WireClassifier, WireItem } from '../contract/wire.ts';
import type {
  Beginning,
  PendingCreate,
  RecordedRequest,
  ResourceRecord,
  UnconfirmedUpdate,
} from './model.ts';

/**
 * Everything that can happen to a state. The journal is a list of these, an apply emits them, and a state is the fold
 * of them: what a crash leaves behind is replayed by the function that recorded it live.
 *
 * ```text
 *            create-intent             answered
 * (nothing) --------------> pending ------------------> live --+ answered
 *                            |   ^ create-unknown        |  ^ <+
 *                            |   +--> with a reason      |  |
 *                            +--> (nothing)        retired  answered
 *                               create-rejected          v  |
 *                                                       retired
 *            imported                  answered
 * (nothing) --------------> imported -----------------> live
 * ```
 */
export type StateEvent =
  /** About to send a POST. Durable before the first byte leaves. */
  | {
      readonly type: 'create-intent';
      readonly address: Address;
      readonly at: string;
      readonly request: RecordedRequest;
    }
  /** A readable answer to a write: the record that it leaves. Ends a pending create and a retirement. */
  | { readonly type: 'answered'; readonly address: Address; readonly record: ResourceRecord }
  /**
   * The POST was certainly not taken (refused, 4xx, or an operator confirmed it). `earlier`: one that was sent before
   * it is still pending.
   */
  | { readonly type: 'create-rejected'; readonly address: Address; readonly earlier?: PendingCreate }
  /** The outcome of the POST is unknown. */
  | {
      readonly type: 'create-unknown';
      readonly address: Address;
      readonly reason: string;
      readonly otherId?: string;
      readonly answer?: WireClassifier | WireItem;
    }
  /** About to send a PUT of a recorded resource: until it is answered, either version may be stored. */
  | {
      readonly type: 'update-intent';
      readonly address: Address;
      readonly at: string;
      readonly request: RecordedRequest;
    }
  /** The PUT was certainly not taken. `earlier`: one that was sent before it is still unconfirmed. */
  | { readonly type: 'update-rejected'; readonly address: Address; readonly earlier?: UnconfirmedUpdate }
  /** The outcome of the PUT is unknown, or its answer can't be trusted. */
  | { readonly type: 'update-unknown'; readonly address: Address; readonly reason: string }
  | { readonly type: 'retired'; readonly address: Address; readonly at: string }
  /** Also of an option, under another key: `classifier.rarity.rare`. One that had no key comes from its ID. */
  | { readonly type: 'moved'; readonly from: Address; readonly to: Address }
  /** An operator gave the ID of an existing record. Nothing was sent: an update has to confirm it. */
  | {
      readonly type: 'imported';
      readonly address: Address;
      readonly at: string;
      readonly id: string;
      readonly options?: Readonly<Record<string, string>>;
    }
  /** An operator removed the address, with all its IDs. */
  | { readonly type: 'forgotten'; readonly address: Address; readonly at: string }
  /** The state began without an apply: the team may have records that it does not contain. */
  | { readonly type: 'partial'; readonly at: string; readonly by: Beginning['by'] }
  /** What the state does not contain is new: an operator confirmed it, or everything declared is recorded. */
  | { readonly type: 'complete' }
  /** The state was lost and is being rebuilt: what it does not contain may exist. */
  | { readonly type: 'recovering'; readonly at: string }
  /** An update of its derived ID found no record. */
  | { readonly type: 'not-found'; readonly address: Address }
  /** A record was found under an ID derived from `idNamespace`: it is the namespace of the lost state. */
  | { readonly type: 'namespace-known' }
  /** The rebuild is complete: everything declared is recorded. */
  | { readonly type: 'recovered' }
  /** `lifecycle.protect` of a recorded resource changed in the catalog. */
  | { readonly type: 'protection'; readonly address: Address; readonly protect: boolean };

/** An event that precedes a request: unless it is durable, nothing was sent. */
export function isIntent({ type }: StateEvent): boolean {
  return type === 'create-intent' || type === 'update-intent';
}
