import type { ItemService } from '../api/client.ts';
import type { Outcome, ServiceError } from '../api/outcome.ts';
import type { Update, Verified, WriteHalt, WriterPorts, Written } from '../apply/model.ts';
import { Writer } from '../apply/writer.ts';
import { type Address, kindOf } from '../catalog/model.ts';
import { pathOf, type WireItem, type WireOption } from '../contract/api.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Because, Exchange, PointResult, ProbeEvent, ProbeHalt } from './model.ts';

/** What one probe works with. */
export interface ProbePorts extends WriterPorts {
  readonly emit: (event: ProbeEvent) => void;
  /** Also what the environment file has evidence for. */
  readonly again: boolean;
}

interface Answered<Answer> {
  readonly kind: 'answered';
  readonly answer: Answer;
  readonly exchange: Exchange;
}

/**
 * What came of one request of an experiment.
 *
 * - `answered`: readably, by the expected team, about the record that was meant
 * - `refused`: the service said no, and surely took nothing
 * - `unseen`: it may have been taken; `saidNo` where the service itself answered an error (500, not a gateway's)
 */
export type Reply<Answer> =
  | Answered<Answer>
  | {
      readonly kind: 'refused' | 'unseen';
      readonly exchange: Exchange;
      readonly saidNo: boolean;
      readonly error?: ServiceError;
    };

/** Ends an experiment whose answers leave its points open, or that was stopped. */
export class Inconclusive extends Error {
  readonly because: Because;
  readonly exchange: Exchange | undefined;

  constructor(because: Because, exchange?: Exchange) {
    super();
    this.because = because;
    this.exchange = exchange;
  }
}

/** The reply to a request that tells nothing unless it is answered. */
export function orInconclusive<Answer>(reply: Reply<Answer>): Answered<Answer> {
  if (reply.kind !== 'answered') throw new Inconclusive(withoutAnswer(reply), reply.exchange);
  return reply;
}

export function withoutAnswer({ kind }: Reply<unknown>): Because {
  return kind === 'refused' ? 'request-refused' : 'request-unseen';
}

/** Errors of what stands before a service: they do not say what the service would have said. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Sends the requests of all experiments, one at a time, writes down what becomes of each, and keeps the findings. */
export class ProbeRun {
  readonly ports: ProbePorts;
  readonly writer: Writer<Exclude<ProbeHalt, WriteHalt>>;
  /** What was told once in a run stays. */
  readonly results = new Map<ProfilePoint, PointResult>();
  /** What came of the request that was sent last. */
  #outcome: Outcome<AnyAnswer> | undefined;

  constructor(ports: ProbePorts) {
    this.ports = ports;
    const write: ItemService['write'] = async (...request) => {
      this.#outcome = await ports.service.write(...request);
      return this.#outcome;
    };
    this.writer = new Writer({ ...ports, service: { write } });
  }

  get halted(): ProbeHalt | undefined {
    return this.writer.halted;
  }

  at(): string {
    return this.ports.now().toISOString();
  }

  tell<Point extends ProfilePoint>(point: Point, value: Profile[Point], exchange: Exchange): void {
    this.#keep({ point, kind: 'found', value, at: this.at(), exchange });
  }

  #keep(result: PointResult): void {
    if (!this.results.has(result.point)) this.results.set(result.point, result);
  }

  /** What an experiment does not tell about its points is left open; where the run ended before, not reached. */
  async perform(points: readonly ProfilePoint[], experiment: (run: ProbeRun) => Promise<void>) {
    try {
      await experiment(this);
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      if (this.halted) return;
      const { because, exchange } = error;
      for (const point of points)
        this.#keep({ point, kind: 'could-not-tell', because, at: this.at(), ...(exchange && { exchange }) });
    }
  }

  /**
   * A POST. A record that `address` had under another ID is retired by the answer, so both IDs stay recorded.
   * `repeatable`: sent twice it makes one record.
   */
  async create<Answer extends AnyAnswer>(
    address: Address,
    body: RecordedRequest['body'],
    repeatable = false,
  ): Promise<Reply<Answer>> {
    const path = pathOf(kindOf(address) === 'item' ? 'createItem' : 'createClassifier');
    const request = { method: 'POST', path, body } as const;
    return this.#replyOf(request, await this.writer.create({ address, request, repeatable, verify }));
  }

  /** A PUT of `id`, which `address` is recorded for, or is to be where such a record appears. */
  async update<Answer extends AnyAnswer>(
    address: Address,
    id: string,
    body: RecordedRequest['body'],
    distrust?: Update['distrust'],
  ): Promise<Reply<Answer>> {
    const path = pathOf(kindOf(address) === 'item' ? 'updateItem' : 'updateClassifier', id);
    const request = { method: 'PUT', path, body } as const;
    const about = { address, request, verify, ...(distrust ? { distrust } : { expects: id }) };
    return this.#replyOf(request, await this.writer.update(about));
  }

  #replyOf<Answer extends AnyAnswer>(request: RecordedRequest, written: Written): Reply<Answer> {
    if (written.kind === 'distrusted' && written.distrust.code === 'held')
      this.writer.halt({ kind: 'foreign-record', id: written.answer.id, address: written.distrust.holder });
    const outcome = this.#outcome;
    if (this.halted || written.kind === 'stopped' || !outcome) throw new Inconclusive('stopped');
    const exchange = evidenceOf(request, outcome);
    // The client has checked that it is an answer of the operation, and so of this kind.
    if (written.kind === 'answered')
      return { kind: 'answered', answer: written.record.answer as Answer, exchange };
    if (outcome.kind === 'answered') return { kind: 'unseen', saidNo: false, exchange };
    const { error } = outcome;
    const { reason, status = 0, transient } = error;
    // "Too many requests" is no answer to the question.
    const isNo = outcome.kind === 'refused' && reason === 'status' && !transient;
    if (isNo) return { kind: 'refused', saidNo: true, exchange, error };
    const saidNo = reason === 'status' && status >= 500 && !GATEWAY_STATUSES.has(status);
    return { kind: 'unseen', saidNo, exchange, error };
  }
}

/** The records of a probe are compared by its experiments. */
function verify(answer: AnyAnswer, sent: RecordedRequest, at: string): Verified {
  return { record: { id: answer.id, answer, sent, at, confidence: 'verified' }, notTaken: [] };
}

/**
 * An exchange as evidence. Of request and answer only what the points are about is kept, in the fields that the
 * interface documents: this goes into a file in git, and a service may repeat anything it was sent, credentials
 * included.
 */
function evidenceOf({ method, path, body }: RecordedRequest, outcome: Outcome<AnyAnswer>): Exchange {
  // What is the same in every request is left out.
  const { name: _, rollNumerator: __, ...sent } = body;
  const { classifierOptions: options } = sent;
  const asked = Array.isArray(options) ? { classifierOptions: optionTexts(options) } : sent;
  const request = cut(`${method} ${path} ${JSON.stringify(asked)}`);
  if (outcome.kind === 'answered')
    return { request, answer: cut(`${outcome.status} ${JSON.stringify(essenceOf(outcome.body))}`) };
  const { status, words = '', reason } = outcome.error;
  return { request, answer: cut(status === undefined ? reason : `${status} ${words}`.trim()) };
}

function essenceOf(answer: AnyAnswer): object {
  if ('classifierOptions' in answer)
    return { id: answer.id, classifierOptions: optionTexts(answer.classifierOptions) };
  const { id, thumbnail } = answer;
  const attributes = answer.attributes.map(({ attributeId, min, max }) => ({ attributeId, min, max }));
  return { id, thumbnail, classifiers: [...optionsOf(answer)], attributes };
}

/** The IDs of the options that an item is assigned to. */
export function optionsOf({ classifiers }: WireItem): ReadonlySet<string> {
  return new Set(classifiers.map(({ classifierOption }) => classifierOption.id));
}

/** Ten options in one line. */
function optionTexts(options: readonly Pick<WireOption, 'name' | 'dropRateMultiplier'>[]): readonly string[] {
  return options.map(({ name, dropRateMultiplier }) => `${name} x${dropRateMultiplier}`);
}

const LONGEST = 300;

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
