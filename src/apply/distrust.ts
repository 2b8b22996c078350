import equal from 'fast-deep-equal';
import { kindOf } from '../catalog/model.ts';
import type { WireClassifier } from '../contract/api.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { Entries } from '../state/entries.ts';
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
  return holder && { code: 'other-name', id: answer.id, name: answer.name, of: holder.address };
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
  return owner === undefined ? undefined : { code: 'other-owner', id: answer.id, owner };
}

function hasOption(answer: AnyAnswer, ids: ReadonlySet<string>): boolean {
  return 'classifierOptions' in answer && answer.classifierOptions.some(({ id }) => ids.has(id));
}
