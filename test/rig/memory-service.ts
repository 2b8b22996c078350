import type { ItemService } from '../../src/api/client.ts';
import type { Outcome, ServiceError } from '../../src/api/outcome.ts';
import type { CreateClassifierBody, WireClassifier, WireItem, WireOption } from '../../src/contract/api.ts';
import type { RecordedRequest } from '../../src/state/model.ts';

type Answer = WireClassifier | WireItem;
export type Write = Pick<ItemService, 'write'>['write'];

export interface Received {
  readonly request: RecordedRequest;
  readonly repeatable: boolean;
  readonly kind: 'item' | 'classifier';
}

/** What the service makes of one write: `honest()` carries it out as documented. */
export type Reaction = (
  received: Received,
  honest: () => Outcome<Answer>,
) => Outcome<Answer> | Promise<Outcome<Answer>>;

export const createdAt = '2026-03-01T12:00:00.000Z';

/**
 * The port through which an apply writes, in memory: honours ids, replaces attributes, and takes assignments of
 * an update in any of the three shapes. `react` can be set to answer otherwise.
 */
export class MemoryService {
  readonly received: Received[] = [];
  readonly items = new Map<string, WireItem>();
  readonly classifiers = new Map<string, WireClassifier>();
  react: Reaction = (_, honest) => honest();
  teamId = 'team_7';

  /** From now on it does what it is asked to, and answers with these fields otherwise. */
  answerWith(changed: object): void {
    this.react = (_, honest) => otherwise(honest(), () => changed);
  }

  readonly write: Write = async (request, kind, { repeatable }) => {
    const received = { request, kind, repeatable };
    this.received.push(received);
    return this.react(received, () => this.#carryOut(received));
  };

  #carryOut({ request, kind }: Received): Outcome<Answer> {
    const id = decodeURIComponent(request.path.split('/')[2] ?? '');
    if (kind === 'classifier')
      return answered(id ? this.#rename(id, request) : this.#createClassifier(request));
    if (id && !this.items.has(id)) return refused(404);
    return answered(id ? this.#updateItem(id, request) : this.#createItem(request));
  }

  #createClassifier({ body }: RecordedRequest): WireClassifier {
    const { name, classifierOptions } = body as unknown as CreateClassifierBody;
    const id = `c${this.classifiers.size + 1}`;
    const options = classifierOptions.map((option, n) => ({
      ...option,
      id: `${id}-o${n + 1}`,
      classifierId: id,
    }));
    return this.#keepClassifier({
      id,
      name,
      teamId: this.teamId,
      createdAt,
      updatedAt: null,
      classifierOptions: options,
    });
  }

  #rename(id: string, { body }: RecordedRequest): WireClassifier {
    const before = this.classifiers.get(id);
    if (!before) throw new Error(`No classifier ${id}`);
    return this.#keepClassifier({ ...before, name: String(body.name), updatedAt: createdAt });
  }

  #keepClassifier(classifier: WireClassifier): WireClassifier {
    this.classifiers.set(classifier.id, classifier);
    return classifier;
  }

  #createItem({ body }: RecordedRequest): WireItem {
    const id = typeof body.id === 'string' ? body.id : `i${this.items.size + 1}`;
    return this.#keepItem(id, null, body, body.classifierOptionIds as string[], body.itemAttributes);
  }

  #updateItem(id: string, { body }: RecordedRequest): WireItem {
    const before = this.items.get(id);
    const kept = before?.classifiers.map(({ classifierOption }) => classifierOption.id) ?? [];
    const options =
      body.classifierOptionIds === undefined ? kept : optionsIn(body.classifierOptionIds as object);
    const thumbnail = body.thumbnail === undefined ? before?.thumbnail : body.thumbnail || null;
    return this.#keepItem(id, createdAt, { ...body, thumbnail }, options, body.attributes);
  }

  #keepItem(
    id: string,
    updatedAt: string | null,
    { classifierOptionIds, itemAttributes, ...body }: RecordedRequest['body'],
    optionIds: readonly string[],
    ranges: unknown,
  ): WireItem {
    const attributes = ranges as readonly { attributeId: string; min: number; max: number }[];
    const item = {
      ...body,
      id,
      thumbnail: typeof body.thumbnail === 'string' ? body.thumbnail : null,
      createdAt,
      updatedAt,
      teamId: this.teamId,
      classifiers: optionIds.map((optionId) => {
        const classifierOption = this.#option(optionId);
        return { classifierId: classifierOption.classifierId, classifierOption };
      }),
      attributes: attributes.map((range, n) => ({ ...range, id: `${id}-a${n + 1}`, itemId: id })),
    } as unknown as WireItem;
    this.items.set(id, item);
    return item;
  }

  #option(id: string): WireOption {
    const all = [...this.classifiers.values()].flatMap(({ classifierOptions }) => classifierOptions);
    const found = all.find((option) => option.id === id);
    if (!found) throw new Error(`No option ${id}`);
    return found;
  }
}

/** by-option has option ids for keys; the other two shapes have them for values. */
function optionsIn(shape: object): readonly string[] {
  return Object.entries(shape).flatMap(([key, value]) => (value === true ? [key] : value));
}

export function answered(body: Answer): Outcome<Answer> {
  return { kind: 'answered', status: 200, body };
}

/** An answer with some fields otherwise. */
export function otherwise<A extends Answer>(
  outcome: Outcome<Answer>,
  change: (body: A) => object,
): Outcome<Answer> {
  if (outcome.kind !== 'answered') return outcome;
  return { ...outcome, body: { ...outcome.body, ...change(outcome.body as A) } };
}

/** A readable refusal: surely not taken. */
export function refused(status: number, rest: Partial<ServiceError> = {}): Outcome<Answer> {
  return { kind: 'refused', error: { ...serviceError, status, ...rest } };
}

/** No answer came: it may or may not have happened. */
export function unseen(): Outcome<Answer> {
  return {
    kind: 'unseen',
    error: { ...serviceError, reason: 'timeout', notTaken: false, transient: true, outcome: 'unseen' },
  };
}

export const serviceError: ServiceError = {
  operation: 'createItem',
  method: 'POST',
  path: '/items',
  baseUrl: 'https://game.example/api',
  reason: 'status',
  notTaken: true,
  transient: false,
  outcome: 'refused',
  attempts: 1,
  elapsedMs: 10,
};
