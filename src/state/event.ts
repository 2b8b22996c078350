import {
  address,
  answer,
  liveRecord,
  optionIds,
  pendingCreate,
  recordedRequest,
  unconfirmedUpdate,
} from '../../generated/state.js';
import type { Address } from '../catalog/model.ts';
import type { Entries } from './entries.ts';
import type {
  Answer,
  Beginning,
  OptionIds,
  PendingCreate,
  RecordedRequest,
  ResourceRecord,
  UnconfirmedUpdate,
} from './model.ts';

/**
 * Everything that can happen to a state. The journal is a list of these, an apply emits them, and a state is the fold
 * of them: what a crash leaves behind is replayed by the function that recorded it live. `at` is an ISO 8601 instant.
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
export type StateEvent = EventOf<keyof Events>;

export type EventOf<Type extends keyof Events> = {
  [Each in Type]: { readonly type: Each } & Readonly<Events[Each]>;
}[Type];

/** What each kind of event tells. */
interface Events {
  /** About to send a POST. Durable before the first byte leaves. */
  'create-intent': { address: Address; at: string; request: RecordedRequest };
  /** A readable answer to a write: the record that it leaves. Ends a pending create and a retirement. */
  answered: { address: Address; record: ResourceRecord };
  /**
   * The POST was certainly not taken (refused, 4xx, or an operator confirmed it). `earlier`: one that was sent before
   * it is still pending.
   */
  'create-rejected': { address: Address; earlier?: PendingCreate };
  /** The outcome of the POST is unknown. `at`, `request`: a PUT that no intent of a POST precedes has made a record. */
  'create-unknown': {
    address: Address;
    reason: string;
    otherId?: string;
    answer?: Answer;
    at?: string;
    request?: RecordedRequest;
  };
  /**
   * About to send a PUT of a recorded resource, or of one that a recovery looks for: until it is answered, either version
   * may be stored.
   */
  'update-intent': { address: Address; at: string; request: RecordedRequest };
  /** The PUT was certainly not taken. `earlier`: one that was sent before it is still unconfirmed. */
  'update-rejected': { address: Address; earlier?: UnconfirmedUpdate };
  /** The outcome of the PUT is unknown, or its answer can't be trusted. `otherId`: of a new record that it may have made. */
  'update-unknown': { address: Address; reason: string; otherId?: string };
  retired: { address: Address; at: string };
  /** Also of an option, under another key: `classifier.rarity.rare`. One that had no key comes from its ID. */
  moved: { from: Address; to: Address };
  /** An operator gave the ID of an existing record. Nothing was sent: an update has to confirm it. */
  imported: { address: Address; at: string; id: string; options?: OptionIds };
  /** An operator removed the address, with all its IDs. */
  forgotten: { address: Address; at: string };
  /** The state began without an apply: the team may have records that it does not contain. */
  partial: { at: string; by: Beginning['by'] };
  /** What the state does not contain is new: an operator confirmed it, or everything declared is recorded. */
  complete: unknown;
  /** The state was lost and is being rebuilt: what it does not contain may exist. */
  recovering: { at: string };
  /** An update of its derived ID found no record. */
  'not-found': { address: Address };
  /** A record was found under an ID derived from `idNamespace`: it is the namespace of the lost state. */
  'namespace-known': unknown;
  /** The rebuild is complete: everything declared is recorded. */
  recovered: unknown;
  /** `lifecycle.protect` of a recorded resource changed in the catalog. */
  protection: { address: Address; protect: boolean };
}

/** Whether a value can be a part of the event. */
type Form = (value: unknown, event: { readonly address?: unknown }) => boolean;
type Forms = { readonly [Type in keyof Events]: { readonly [Part in keyof Events[Type]]-?: Form } };

const text: Form = (value) => typeof value === 'string';
const optional =
  (form: Form): Form =>
  (value, event) =>
    value === undefined || form(value, event);

const forms: Forms = {
  'create-intent': { address, at: text, request: recordedRequest },
  answered: {
    address,
    record: (record, event) => liveRecord({ ...(record as object), status: 'live', address: event.address }),
  },
  'create-rejected': { address, earlier: optional(pendingCreate) },
  'create-unknown': {
    address,
    reason: text,
    otherId: optional(text),
    answer: optional(answer),
    at: optional(text),
    request: optional(recordedRequest),
  },
  'update-intent': { address, at: text, request: recordedRequest },
  'update-rejected': { address, earlier: optional(unconfirmedUpdate) },
  'update-unknown': { address, reason: text, otherId: optional(text) },
  retired: { address, at: text },
  moved: { from: text, to: text },
  imported: { address, at: text, id: text, options: optional(optionIds) },
  forgotten: { address, at: text },
  partial: { at: text, by: text },
  complete: {},
  recovering: { at: text },
  'not-found': { address },
  'namespace-known': {},
  recovered: {},
  protection: { address, protect: (value) => typeof value === 'boolean' },
};

/** Whether a value that was read has the parts of an event, each in its form: anyone may have put it there. */
export function isEvent(value: unknown): value is StateEvent {
  const { type, ...parts } = Object(value) as Record<string, unknown>;
  if (typeof type !== 'string' || !Object.hasOwn(forms, type)) return false;
  const known: Readonly<Record<string, Form>> = forms[type as keyof Events];
  return (
    Object.keys(parts).every((part) => Object.hasOwn(known, part)) &&
    Object.entries(known).every(([part, form]) => form(parts[part], parts))
  );
}

type Intent = EventOf<'create-intent' | 'update-intent'>;

/** An event that precedes a request: unless it is durable, nothing was sent. */
export function isIntent(event: StateEvent): event is Intent {
  return event.type === 'create-intent' || event.type === 'update-intent';
}

/**
 * What undoes an intent whose request was not taken, given what is recorded before the intent. Undefined for an update of
 * another record than those of the address, which leaves no mark.
 */
export function takenBack({ type, address, request }: Intent, entries: Entries): StateEvent | undefined {
  if (type === 'create-intent') {
    const earlier = entries.find('pending', address);
    return { type: 'create-rejected', address, ...(earlier && { earlier }) };
  }
  const updated = entries.updatedBy(address, request);
  const earlier = updated?.unconfirmed;
  const isSearch = entries.at(address).every(({ status }) => status === 'forgotten');
  if (!updated && !isSearch) return undefined;
  return { type: 'update-rejected', address, ...(earlier && { earlier }) };
}
