import type { ItemService } from '../api/item-service.ts';
import type { Outcome } from '../api/outcome.ts';
import { isSystemic } from '../apply/halt.ts';
import { messageOf } from '../apply/model.ts';
import { reasonOf } from '../apply/reason.ts';
import type { Recorder } from '../apply/run.ts';
import { type Address, kindOf } from '../catalog/model.ts';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { StateEvent } from '../state/event.ts';
import type { RecordedRequest } from '../state/model.ts';
import { isUntouched } from '../state/new-state.ts';
import { evidenceOf } from './evidence.ts';
import type { Exchange, PointResult, ProbeEvent, ProbeHalt } from './model.ts';
import { failedReply, type Reply } from './reply.ts';

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
  readonly #results = new Map<ProfilePoint, PointResult>();
  #halt: ProbeHalt | undefined;

  constructor(ports: ProbePorts) {
    this.ports = ports;
  }

  get halted(): ProbeHalt | undefined {
    return this.#halt ?? (this.ports.signal.aborted ? { kind: 'interrupted' } : undefined);
  }

  /** The first reason stays: what follows it is its consequence. */
  halt(reason: ProbeHalt): void {
    this.#halt ??= reason;
  }

  /** A state that begins with probe records says nothing of what the team has. */
  async begin(): Promise<void> {
    if (isUntouched(this.ports.recorder.current()))
      await this.#record({ type: 'partial', at: this.#at(), by: 'probe' });
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
   * A POST: its intent is durable before it is sent, its outcome before the next step. A record that `address`
   * had under another id is retired by the answer, so both ids stay recorded.
   */
  async create<Answer extends AnyAnswer>(
    address: Address,
    request: RecordedRequest,
    repeatable = false,
  ): Promise<Reply<Answer>> {
    // A run before this one sent it and saw no answer: now a refusal may just mean that the record is there.
    const wasPending = this.ports.recorder.isPending(address);
    const intent = { type: 'intent', address, at: this.#at(), request } as const;
    if (this.halted || !(await this.#record(intent))) return { kind: 'stopped' };
    const outcome = await this.ports.service.write(request, kindOf(address), { repeatable });
    if (outcome.kind === 'answered') {
      const { body: answer } = outcome;
      if (!this.#isTrusted(address, answer)) {
        await this.#record({ type: 'unseen', address, reason: "its answer can't be trusted", answer });
        return { kind: 'stopped' };
      }
      return this.#accept(address, request, outcome);
    }
    await this.#record(
      outcome.kind === 'unseen' || wasPending
        ? { type: 'unseen', address, reason: reasonOf(outcome.error) }
        : { type: 'not-taken', address },
    );
    return this.#failed(request, outcome);
  }

  /** A PUT of `id`, which `address` is recorded for, or is to be where such a record appears. */
  async update<Answer extends AnyAnswer>(
    address: Address,
    id: string,
    request: RecordedRequest,
  ): Promise<Reply<Answer>> {
    const intent = { type: 'updating', address, at: this.#at(), request } as const;
    if (this.halted || !(await this.#record(intent))) return { kind: 'stopped' };
    const outcome = await this.ports.service.write(request, kindOf(address), { repeatable: true });
    if (outcome.kind === 'answered') {
      const { body: answer } = outcome;
      const trusted = this.#isTrusted(address, answer);
      if (trusted && answer.id === id) return this.#accept(address, request, outcome);
      await this.#record({ type: 'update-unseen', address, reason: `it was answered for ${answer.id}` });
      if (!trusted) return { kind: 'stopped' };
      return { kind: 'unseen', saidNo: false, exchange: evidenceOf(request, outcome) };
    }
    await this.#record(
      outcome.kind === 'unseen'
        ? { type: 'update-unseen', address, reason: reasonOf(outcome.error) }
        : { type: 'not-updated', address },
    );
    return this.#failed(request, outcome);
  }

  async #accept<Answer extends AnyAnswer>(
    address: Address,
    request: RecordedRequest,
    outcome: Extract<Outcome<AnyAnswer>, { kind: 'answered' }>,
  ): Promise<Reply<Answer>> {
    const { body: answer } = outcome;
    const record = { id: answer.id, answer, sent: request, at: this.#at(), confidence: 'verified' } as const;
    if (!(await this.#record({ type: 'answered', address, record }))) return { kind: 'stopped' };
    // The client has checked that it is an answer of the operation, and so of this kind.
    return { kind: 'answered', answer: answer as Answer, exchange: evidenceOf(request, outcome) };
  }

  #failed(request: RecordedRequest, outcome: Extract<Outcome<AnyAnswer>, { error: unknown }>): Reply<never> {
    if (isSystemic(outcome.error)) {
      this.halt({ kind: 'service', error: outcome.error });
      return { kind: 'stopped' };
    }
    return failedReply(outcome, evidenceOf(request, outcome));
  }

  #isTrusted(address: Address, { id, teamId }: AnyAnswer): boolean {
    const { environment, recorder } = this.ports;
    const holder = recorder.holderOf(kindOf(address), id);
    if (teamId !== environment.teamId)
      this.halt({ kind: 'wrong-team', expected: environment.teamId, answered: teamId });
    else if (holder !== undefined && holder !== address)
      this.halt({ kind: 'foreign-record', id, address: holder });
    else return true;
    return false;
  }

  /** False: it could not be made durable, and nothing more may be sent. */
  async #record(event: StateEvent): Promise<boolean> {
    try {
      await this.ports.recorder.record(event);
      return true;
    } catch (error) {
      this.halt({ kind: 'journal', message: messageOf(error) });
      return false;
    }
  }

  #at(): string {
    return this.ports.now().toISOString();
  }
}
