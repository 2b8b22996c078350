import equal from 'fast-deep-equal';
import { type Address, kindOf } from '../catalog/model.ts';
import type { WireClassifier } from '../contract/wire.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { Entries } from '../state/entries.ts';
import type { RecordedRequest } from '../state/model.ts';

/** Why an answer can't be one to the request that was sent. */
export type Distrust =
  | { readonly code: 'wrong-team'; readonly expected: string }
  | { readonly code: 'other-id'; readonly expected: string }
  /** It names the very record that was to be replaced. */
  | { readonly code: 'replaced-record' }
  /** It names a record of another address. */
  | { readonly code: 'held'; readonly holder: Address }
  /** It has the name of another record instead of its own: answers of creates under way at once can be swapped. */
  | { readonly code: 'other-name'; readonly holder: Address }
  /** Its options belong to another classifier. */
  | { readonly code: 'other-owner'; readonly owner: string }
  /** The classifier has none of the options that were sent with its create. */
  | { readonly code: 'no-options' };

/** What was sent, and what is known of its answer. */
interface Sent {
  readonly address: Address;
  readonly request: RecordedRequest;
  readonly expects?: string | undefined;
  readonly replaces?: string | null;
  readonly distrust?: (answer: AnyAnswer) => Distrust | undefined;
}

/** Undefined for an answer that can be one to what was sent. */
export function distrustOf(
  sent: Sent,
  answer: AnyAnswer,
  { entries, teamId }: { readonly entries: Entries; readonly teamId: string },
): Distrust | undefined {
  const { address, request, expects, replaces } = sent;
  if (answer.teamId !== teamId) return { code: 'wrong-team', expected: teamId };
  if (expects !== undefined && answer.id !== expects) return { code: 'other-id', expected: expects };
  if (answer.id === replaces) return { code: 'replaced-record' };
  const holder = entries.holderOf(kindOf(address), answer.id);
  if (holder !== undefined && holder !== address) return { code: 'held', holder };
  if (request.method === 'PUT') return sent.distrust?.(answer);
  return otherName(sent, answer, entries) ?? otherOwner(answer, entries);
}

/**
 * What the service has only put in another form looks like no other record. A live one counts as it was sent, like a
 * pending one: answers may have been put in another form alike.
 */
function otherName({ address, request }: Sent, answer: AnyAnswer, entries: Entries): Distrust | undefined {
  const own = answer.id === request.body.id ? 'same' : likeness(request.body, answer);
  if (own === 'same') return undefined;
  const holder = [
    ...entries.all('pending').map((other) => ({ address: other.address, sent: other.request })),
    ...entries.all('live'),
  ].find((other) => {
    if (other.address === address || kindOf(other.address) !== kindOf(address)) return false;
    const theirs = likeness(other.sent.body, answer);
    return theirs === 'same' || (own === 'none' && theirs === 'similar');
  });
  return holder === undefined ? undefined : { code: 'other-name', holder: holder.address };
}

type Sendable = Readonly<Record<string, unknown>>;

/** `similar`: by name, and for classifiers, of which several can have one, by their options. */
function likeness(sent: Sendable, answer: AnyAnswer): 'same' | 'similar' | 'none' {
  if (sent.name !== answer.name) return 'none';
  const [one, other] = [comparable(sent), comparable(answer)];
  if (equal(one, other)) return 'same';
  return lacksOptions(sent, answer) ? 'none' : 'similar';
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
  const taken = entries.all('live').find((other) => other.id !== answer.id && hasOption(other.answer, ids));
  const owner =
    answer.classifierOptions.find(({ classifierId }) => classifierId !== answer.id)?.classifierId ??
    taken?.id;
  return owner === undefined ? undefined : { code: 'other-owner', owner };
}

function hasOption(answer: AnyAnswer, ids: ReadonlySet<string>): boolean {
  return 'classifierOptions' in answer && answer.classifierOptions.some(({ id }) => ids.has(id));
}

export function distrustReason({ id, name, teamId }: AnyAnswer, distrust: Distrust): string {
  switch (distrust.code) {
    case 'wrong-team':
      return `the answer names team ${teamId} (record ${id}), and this environment is team ${distrust.expected}`;
    case 'other-id':
      return `the answer names record ${id}, and the request was for ${distrust.expected}`;
    case 'replaced-record':
      return `the answer names record ${id}, which is the one to be replaced`;
    case 'held':
      return `the answer names record ${id}, which is ${distrust.holder}`;
    case 'other-name':
      return `the answer names record ${id} ${JSON.stringify(name)}, which is the name of ${distrust.holder}`;
    case 'other-owner':
      return `the answer names record ${id}, and its options are those of ${distrust.owner}`;
    case 'no-options':
      return `the record ${id} has none of the options that were sent`;
  }
}
