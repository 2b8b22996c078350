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
 * Everything that can happen to a state. The journal is a list of these, an apply emits them, and a state is
 * the fold of them: what a crash leaves behind is replayed by the same function that recorded it live.
 *
 * ```text
 *            intent                    answered
 * (nothing) --------> pending ------------------------> recorded --+ answered
 *                      |   ^ unseen                      |   ^ <---+
 *                      |   +--> pending with reason      |   |
 *                      +--> (nothing)  not-taken    retired  answered (revive)
 *                                                        v   |
 *                                                       retired
 * (nothing) --------> imported ----------------------> recorded
 *            imported              answered
 * ```
 */
export type StateEvent =
  /** About to send a POST. Durable before the first byte leaves. */
  | {
      readonly type: 'intent';
      readonly address: Address;
      readonly at: string;
      readonly request: RecordedRequest;
    }
  /** A write was answered, readably: the record it leaves. Ends a pending create and a retirement. */
  | { readonly type: 'answered'; readonly address: Address; readonly record: ResourceRecord }
  /**
   * The POST surely was not taken (refused, 4xx, a person's word). `earlier`: one that was sent before it is still
   * pending.
   */
  | { readonly type: 'not-taken'; readonly address: Address; readonly earlier?: PendingCreate }
  /** The POST's outcome was not seen. */
  | {
      readonly type: 'unseen';
      readonly address: Address;
      readonly reason: string;
      readonly answer?: WireClassifier | WireItem;
    }
  /** About to send a PUT of a recorded resource: until it is answered, nobody knows which of the two it is. */
  | {
      readonly type: 'updating';
      readonly address: Address;
      readonly at: string;
      readonly request: RecordedRequest;
    }
  /** The PUT surely was not taken. `earlier`: one that was sent before it is still unconfirmed. */
  | { readonly type: 'not-updated'; readonly address: Address; readonly earlier?: UnconfirmedUpdate }
  /** The PUT's outcome was not seen, or its answer can't be trusted. */
  | { readonly type: 'update-unseen'; readonly address: Address; readonly reason: string }
  | { readonly type: 'retired'; readonly address: Address; readonly at: string }
  /** Also of an option, under another key: `classifier.rarity.rare`. One that had no key comes from its ID. */
  | { readonly type: 'moved'; readonly from: Address; readonly to: Address }
  /** A person named the id of a record that exists. Nothing was sent: an update has to confirm it. */
  | {
      readonly type: 'imported';
      readonly address: Address;
      readonly at: string;
      readonly id: string;
      readonly options?: Readonly<Record<string, string>>;
    }
  /** A person's word that nothing of this address is to be relied on any more, its ids included. */
  | { readonly type: 'forgotten'; readonly address: Address; readonly at: string }
  /** The state begins with this, and not with an apply: the team may have records that nobody recorded. */
  | { readonly type: 'partial'; readonly at: string; readonly by: Beginning['by'] }
  /** What the state does not know is new: a person's word, or everything declared is known. */
  | { readonly type: 'whole' }
  /** The state was lost and is found again piece by piece: what it does not know may exist. */
  | { readonly type: 'recovering'; readonly at: string }
  /** It was looked for, and the service has no such record. */
  | { readonly type: 'not-there'; readonly address: Address }
  /** An id that was in use before the loss is one that the `idNamespace` of the environment gives. */
  | { readonly type: 'namespace-known' }
  /** Everything declared is known again. */
  | { readonly type: 'recovered' }
  /** `lifecycle.protect` of a recorded resource changed in the catalog. */
  | { readonly type: 'protection'; readonly address: Address; readonly protect: boolean };

/** What precedes a request: where it is not durable, nothing was sent. */
export function isIntent({ type }: StateEvent): boolean {
  return type === 'intent' || type === 'updating';
}
