import type { ItemService } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { type Recorder, type Verified, type WriteHalt, Writer, type Written } from '../apply/writer.ts';
import type { Address } from '../catalog/model.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import { isUntouched } from '../state/model.ts';
import { evidenceOf } from './evidence.ts';
import {
  type Exchange,
  failedReply,
  type PointResult,
  type ProbeEvent,
  type ProbeHalt,
  type Reply,
} from './model.ts';

/** What one probe works with. */
export interface ProbePorts {
  readonly environment: Environment;
  readonly service: Pick<ItemService, 'write'>;
  readonly recorder: Recorder;
  readonly now: () => Date;
  /** Aborted when a person wants it to stop: what is under way is finished. */
  readonly signal: AbortSignal;
  readonly emit: (event: ProbeEvent) => void;
  /** Also what the environment file has evidence for. */
  readonly again: boolean;
}

/** Sends the requests of all experiments, one at a time, writes down what becomes of each, and keeps the findings. */
export class ProbeRun {
  readonly ports: ProbePorts;
  readonly writer: Writer<Exclude<ProbeHalt, WriteHalt>>;
  readonly #results = new Map<ProfilePoint, PointResult>();
  /** What came of the request that was sent last. */
  #outcome: Outcome<AnyAnswer> | undefined;

  constructor(ports: ProbePorts) {
    this.ports = ports;
    const write: ItemService['write'] = async (...request) => {
      const outcome = await ports.service.write(...request);
      this.#outcome = outcome;
      return outcome;
    };
    this.writer = new Writer({ ...ports, service: { write }, teamId: ports.environment.teamId });
  }

  get halted(): ProbeHalt | undefined {
    return this.writer.halted;
  }

  /** A state that begins with probe records says nothing of what the team has. */
  async begin(): Promise<void> {
    if (isUntouched(this.ports.recorder.current()))
      await this.writer.note({ type: 'partial', at: this.#at(), by: 'probe' });
  }

  resultOf(point: ProfilePoint): PointResult | undefined {
    return this.#results.get(point);
  }

  tell<Point extends ProfilePoint>(point: Point, value: Profile[Point], exchange: Exchange): void {
    this.#results.set(point, { point, kind: 'found', value, at: this.#at(), exchange });
  }

  /** Where the run ended before an exchange could tell, the point was not reached rather than left open. */
  cannotTell(point: ProfilePoint, because: string, exchange?: Exchange): void {
    if (this.halted && !exchange) return;
    const evidence = exchange && { exchange };
    this.#results.set(point, { point, kind: 'could-not-tell', because, at: this.#at(), ...evidence });
  }

  /**
   * A POST. A record that `address` had under another id is retired by the answer, so both ids stay recorded.
   * `repeatable`: sent twice it makes one record.
   */
  async create<Answer extends AnyAnswer>(
    address: Address,
    request: RecordedRequest,
    repeatable = false,
  ): Promise<Reply<Answer>> {
    return this.#replyOf(request, await this.writer.create({ address, request, repeatable, verify }));
  }

  /** A PUT of `id`, which `address` is recorded for, or is to be where such a record appears. */
  async update<Answer extends AnyAnswer>(
    address: Address,
    id: string,
    request: RecordedRequest,
  ): Promise<Reply<Answer>> {
    return this.#replyOf(request, await this.writer.update({ address, request, expects: id, verify }));
  }

  #replyOf<Answer extends AnyAnswer>(request: RecordedRequest, written: Written): Reply<Answer> {
    if (written.kind === 'distrusted' && written.distrust.code === 'held')
      this.writer.halt({ kind: 'foreign-record', id: written.answer.id, address: written.distrust.holder });
    if (this.halted || written.kind === 'stopped' || !this.#outcome) return { kind: 'stopped' };
    const exchange = evidenceOf(request, this.#outcome);
    // The client has checked that it is an answer of the operation, and so of this kind.
    if (written.kind === 'answered')
      return { kind: 'answered', answer: written.record.answer as Answer, exchange };
    if (this.#outcome.kind === 'answered') return { kind: 'unseen', saidNo: false, exchange };
    return failedReply(this.#outcome, exchange);
  }

  #at(): string {
    return this.ports.now().toISOString();
  }
}

/** The records of a probe are compared by its experiments. */
function verify(answer: AnyAnswer, sent: RecordedRequest, at: string): Verified {
  return { record: { id: answer.id, answer, sent, at, confidence: 'verified' }, notTaken: [] };
}
