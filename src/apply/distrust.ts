import equal from 'fast-deep-equal';
import { type Address, kindOf } from '../catalog/model.ts';
import type { CreateItemBody, WireClassifier, WireItem } from '../contract/api.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { Entries } from '../state/entries.ts';
import { isHolding } from '../state/entry.ts';
import type { RecordedRequest, ResourceRecord, StateEntry } from '../state/model.ts';
import type { Create, Distrust, Update, Write } from './model.ts';

/** What was sent, and what is known of its answer. */
type Sent = Pick<Write, 'address' | 'request' | 'expects'> &
  Partial<Pick<Create, 'replaces'> & Pick<Update, 'distrust'>>;

/** Undefined for an answer that can be one to what was sent. */
export function distrustOf(
  sent: Sent,
  answer: AnyAnswer,
  { entries, teamId }: { readonly entries: Entries; readonly teamId: string },
): Distrust | undefined {
  const { address, request, expects, replaces } = sent;
  const { id } = answer;
  if (answer.teamId !== teamId) return { code: 'wrong-team', id, answered: answer.teamId, expected: teamId };
  if (expects !== undefined && id !== expects) return { code: 'other-id', id, expected: expects };
  if (id === replaces) return { code: 'replaced-record', id };
  const holder = entries.holderOf(kindOf(address), id);
  if (holder !== undefined && holder !== address) return { code: 'held', id, holder };
  if (request.method === 'PUT') return sent.distrust?.(answer) ?? otherOwner(answer, entries);
  const former = id === request.body.id ? undefined : formerHolder(sent, id, entries);
  if (former) return { code: 'held', id, holder: former };
  return otherName(sent, answer, entries) ?? otherOwner(answer, entries);
}

/** A create makes a record, so its answer is none of before, and none of another create. */
function formerHolder({ address }: Sent, id: string, entries: Entries): Address | undefined {
  // Its own intent, and what a probe has created under this address and asks for once more.
  const isOwn = (entry: StateEntry) =>
    entry.address === address && (entry.status === 'pending' || entry.status === 'live');
  // What an update of another record was answered with may be the record that this create has made.
  const isStray = (entry: StateEntry) => isHolding(entry) && entry.id !== id;
  return [...entries.naming(kindOf(address), id)].find((entry) => !isOwn(entry) && !isStray(entry))?.address;
}

/**
 * Another record of its kind that the answer fits better. What the service has only put in another form fits none. A live
 * one counts as it was sent, like a pending one: answers may have been put in another form alike.
 */
export function otherName(
  { address, request }: Pick<Write, 'address' | 'request'>,
  answer: AnyAnswer,
  entries: Entries,
) {
  const own = answer.id === request.body.id ? likeness.whole : likenessOf(request, answer);
  if (own === likeness.whole) return undefined;
  const holder = [
    ...entries.all('pending').map((other) => ({ address: other.address, sent: other.request })),
    ...entries.all('live'),
  ].find((other) => {
    if (other.address === address || kindOf(other.address) !== kindOf(address)) return false;
    return likenessOf(other.sent, answer) > own;
  });
  return holder && ({ code: 'other-name', id: answer.id, name: answer.name, of: holder.address } as const);
}

/**
 * `name`: for classifiers, of which several can have one, with some of their options. `plain`: without what an item
 * refers to, which an update shows in a form of its own.
 */
const likeness = { none: 0, name: 1, plain: 2, whole: 3 } as const;

function likenessOf({ method, body }: RecordedRequest, answer: AnyAnswer): number {
  if (body.name !== answer.name) return likeness.none;
  if (!equal(comparable(body), comparable(answer)))
    return lacksOptions(body, answer) ? likeness.none : likeness.name;
  const isWhole = method === 'POST' && equal(referencesIn(body), referencesIn(answer));
  return isWhole ? likeness.whole : likeness.plain;
}

/** The options and ranges of an item, as the body of a create (API section 4.1) and an answer (2.1) have them. */
function referencesIn(item: object): readonly string[] {
  const { classifierOptionIds = [], itemAttributes = [] } = item as Partial<CreateItemBody>;
  const { classifiers = [], attributes = itemAttributes } = item as Partial<WireItem>;
  const options = [...classifierOptionIds, ...classifiers.map(({ classifierOption }) => classifierOption.id)];
  const ranges = attributes.map(({ attributeId, min, max }) => `${attributeId} ${min} ${max}`);
  return [...options, ...ranges].sort();
}

/** What a body and an answer show in one form: plain values that are no defaults, and options without their IDs. */
function comparable(fields: object) {
  const {
    id,
    teamId,
    createdAt,
    updatedAt,
    classifierOptions = [],
    ...rest
  } = fields as Partial<WireClassifier>;
  const plain = Object.entries(rest).filter(([, value]) => value && typeof value !== 'object');
  const options = classifierOptions.map((option) => `${option.dropRateMultiplier} ${option.name}`);
  return { ...Object.fromEntries(plain), options: options.sort() };
}

/** Whether an answer has none of the options of a record, which has some. */
export function lacksOptions(record: object, answer: AnyAnswer): boolean {
  if (!('classifierOptions' in answer)) return false;
  const { classifierOptions = [] } = record as Partial<WireClassifier>;
  const answered = new Set(answer.classifierOptions.map(({ name }) => name));
  return classifierOptions.length > 0 && !classifierOptions.some(({ name }) => answered.has(name));
}

/** Options of another classifier: by what they say, or by an ID that another one has. */
function otherOwner(answer: AnyAnswer, entries: Entries): Distrust | undefined {
  if (!('classifierOptions' in answer)) return undefined;
  const ids = new Set(answer.classifierOptions.map(({ id }) => id));
  const records = [...entries.all('live'), ...entries.all('retired')];
  const taken = records.find((other) => other.id !== answer.id && hasOption(other, ids));
  const owner =
    answer.classifierOptions.find(({ classifierId }) => classifierId !== answer.id)?.classifierId ??
    taken?.id;
  return owner === undefined ? undefined : { code: 'other-owner', id: answer.id, owner };
}

function hasOption({ answer, options = {} }: ResourceRecord, ids: ReadonlySet<string>): boolean {
  const answered = 'classifierOptions' in answer ? answer.classifierOptions.map(({ id }) => id) : [];
  return [...answered, ...Object.values(options)].some((id) => ids.has(id));
}
