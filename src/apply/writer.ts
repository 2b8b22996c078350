import type { ItemService } from '../api/item-service.ts';
import type { Outcome, ServiceError } from '../api/outcome.ts';
import { type Address, kindOf } from '../catalog/model.ts';
import type { FieldDifference } from '../resources/fields.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { Entries } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import { JournalError } from '../state/file/journal-writer.ts';
import {
  isUpdateOf,
  type LiveRecord,
  type RecordedRequest,
  type ResourceRecord,
  type State,
} from '../state/model.ts';
import { type Distrust, distrustOf, distrustReason } from './distrust.ts';
import { seenReason, withTraces } from './reason.ts';

/** Where outcomes are kept: durable before `record` resolves. */
export interface Recorder {
  /** What is recorded now. */
  readonly entries: Entries;
  /** Takes a copy. */
  current(): State;
  record(event: StateEvent): Promise<void>;
  /** Whether what is recorded is still kept: the lock is held, and nobody else has written. */
  verify(): Promise<{ readonly ok: true } | { readonly ok: false; readonly diagnostics: readonly Said[] }>;
}

interface Said {
  readonly message: string;
}

export interface WriterPorts {
  readonly service: Pick<ItemService, 'write'>;
  readonly recorder: Recorder;
  /** The team that every answer has to name. */
  readonly teamId: string;
  readonly now: () => Date;
  /** Aborted when a person wants it to stop: no request starts after that, those in flight are waited for. */
  readonly signal: AbortSignal;
}

/** An answer, compared with what was sent. */
export interface Verified {
  readonly record: ResourceRecord;
  /** What was wanted (`after`) and answered otherwise (`before`). */
  readonly notTaken: readonly FieldDifference[];
}

/** One request for a record of `address`. */
export interface Write {
  readonly address: Address;
  readonly request: RecordedRequest;
  /** The id that the answer has to name; undefined where any id will do. */
  readonly expects?: string | undefined;
  /** What an answer to this request leaves. `at` is the ISO 8601 instant of the answer. */
  readonly verify: (answer: AnyAnswer, request: RecordedRequest, at: string) => Verified;
}

export interface Create extends Write {
  /** Sent twice, it makes one record. */
  readonly repeatable: boolean;
  /** The id of the record that this one replaces. */
  readonly replaces?: string | null;
  /** The update that shows whether a repeatable create was taken. */
  readonly confirm?: () => RecordedRequest;
}

export interface Update extends Write {
  readonly expects: string;
  /** Why an answer is no answer to this request, beyond what the writer checks itself. */
  readonly distrust?: (answer: AnyAnswer) => Distrust | undefined;
}

/**
 * What became of a write. Everything that it says is recorded.
 *
 * - `answered`: as was asked, by the expected team; the record is durable
 * - `unrecorded`: answered, but the record could not be made durable; the answer has its id
 * - `refused`: surely not taken
 * - `unseen`: it may have been taken, or an earlier one whose outcome is not known yet
 * - `distrusted`: answered, but not as an answer to this request can be; nothing of it is believed
 * - `stopped`: nothing was sent
 */
export type Written =
  | ({ readonly kind: 'answered' | 'unrecorded' } & Verified)
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** `isLasting`: of a create that another run does not settle: it was refused for good, or has made another record. */
  | { readonly kind: 'unseen'; readonly error: ServiceError; readonly isLasting?: boolean }
  | { readonly kind: 'distrusted'; readonly answer: AnyAnswer; readonly distrust: Distrust }
  | { readonly kind: 'stopped' };

/** Why no further request starts. */
export type WriteHalt =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'wrong-team'; readonly expected: string; readonly answered: string }
  /** A service that is known to honour ids answered a create with another one. */
  | {
      readonly kind: 'other-id';
      readonly address: Address;
      readonly asked: string;
      readonly answered: string;
    }
  | { readonly kind: 'service'; readonly error: ServiceError }
  | { readonly kind: 'journal'; readonly message: string }
  /** The lock was removed, or the state or its journal replaced: another run may be at work. */
  | { readonly kind: 'state-lost'; readonly message: string };

/**
 * The write protocol, for everything that is ever written to a service:
 *
 * ```text
 * intent durable -> send -> answered -> is it an answer to this? -> record durable
 *                        -> refused  -> the intent is taken back
 *                        -> unseen   -> a repeatable create is confirmed by an update of its id, else pending
 * ```
 *
 * Once it is halted no request starts, also none that waits for its turn. `Other` are further reasons to halt.
 */
export class Writer<Other extends { readonly kind: string } = never> {
  readonly #ports: WriterPorts;
  readonly #stop = new AbortController();
  #halt: WriteHalt | Other | undefined;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
    const interrupt = () => this.halt({ kind: 'interrupted' });
    if (ports.signal.aborted) interrupt();
    else ports.signal.addEventListener('abort', interrupt, { once: true });
  }

  get halted(): WriteHalt | Other | undefined {
    return this.#halt;
  }

  /** The first reason stays: what follows it is its consequence. */
  halt(reason: WriteHalt | Other): void {
    this.#halt ??= reason;
    this.#stop.abort();
  }

  /** A POST. A create of this address that is pending already may only be followed by one with the same id. */
  async create(write: Create): Promise<Written> {
    const { address, request, repeatable, confirm } = write;
    const earlier = this.#ports.recorder.entries.find('pending', address);
    if (!(await this.#begin({ type: 'create-intent', address, at: this.#now(), request })))
      return { kind: 'stopped' };
    const outcome = await this.#send(write, repeatable);
    if (outcome.kind === 'answered') return this.#accept(write, outcome.body);
    const { error } = outcome;
    this.#haltIfSystemic(error);
    const restored = earlier && { earlier };
    if (isUnsent(outcome)) {
      await this.note({ type: 'create-rejected', address, ...restored });
      return { kind: 'stopped' };
    }
    // A refusal after a create that nobody saw an answer to may just mean that its record is there.
    const isOpen = outcome.kind === 'unseen' || earlier !== undefined;
    if (!isOpen) {
      await this.note({ type: 'create-rejected', address, ...restored });
      return { kind: 'refused', error };
    }
    const isOther = this.#haltIfOther(write, error.otherId);
    const found = repeatable && confirm ? await this.#confirm(write, confirm()) : 'open';
    if (typeof found !== 'string') return found;
    await this.#noteUnknown(address, seenReason(error), error);
    const isRefused = found === 'refused' && outcome.kind === 'refused' && !error.transient;
    const isLasting = isOther || isRefused;
    return { kind: 'unseen', error, ...(isLasting && { isLasting }) };
  }

  /** A PUT, which may be repeated, but not forgotten: where its outcome is not seen, the record is in doubt. */
  async update(write: Update): Promise<Written> {
    const { address, request } = write;
    const earlier = this.#written(write)?.unconfirmed;
    if (!(await this.#begin({ type: 'update-intent', address, at: this.#now(), request })))
      return { kind: 'stopped' };
    const outcome = await this.#send(write, true);
    if (outcome.kind === 'answered') return this.#accept(write, outcome.body);
    const { error } = outcome;
    this.#haltIfSystemic(error);
    if (outcome.kind === 'unseen') await this.#doubt(write, seenReason(error));
    else if (this.#written(write))
      await this.note({ type: 'update-rejected', address, ...(earlier && { earlier }) });
    if (isUnsent(outcome)) return { kind: 'stopped' };
    return { kind: outcome.kind === 'unseen' || earlier ? 'unseen' : 'refused', error };
  }

  /** The record that an update writes, if that is the one of its address. */
  #written({ address, request }: Write): LiveRecord | undefined {
    const record = this.#ports.recorder.entries.find('live', address);
    return record && isUpdateOf(record, request) ? record : undefined;
  }

  /** An update leaves the record in doubt that it was sent to, and no other. */
  async #doubt(write: Write, reason: string): Promise<void> {
    if (this.#written(write)) await this.note({ type: 'update-unknown', address: write.address, reason });
  }

  async #noteUnknown(
    address: Address,
    reason: string,
    { otherId, answer }: { readonly otherId?: string | undefined; readonly answer?: AnyAnswer },
  ): Promise<void> {
    const before = this.#ports.recorder.entries.find('pending', address)?.reason;
    await this.note({
      type: 'create-unknown',
      address,
      reason: withTraces(reason, before),
      ...(otherId !== undefined && { otherId }),
      ...(answer && { answer }),
    });
  }

  /** Records what changes nothing in the service. False: it could not be made durable, and the writer is halted. */
  async note(event: StateEvent): Promise<boolean> {
    try {
      await this.#ports.recorder.record(event);
      return true;
    } catch (error) {
      const isStale = error instanceof JournalError && error.code === 'ESTALE';
      this.halt({ kind: isStale ? 'state-lost' : 'journal', message: messageOf(error) });
      return false;
    }
  }

  async #begin(intent: StateEvent): Promise<boolean> {
    return !this.halted && (await this.note(intent));
  }

  #send({ address, request }: Write, repeatable: boolean): Promise<Outcome<AnyAnswer>> {
    const { signal } = this.#stop;
    const mayGoOn = () => this.#isStillKept();
    return this.#ports.service.write(request, kindOf(address), { repeatable, signal, mayGoOn });
  }

  /** Whoever has removed the lock meanwhile may have said, and acted on it, that this very create was not made. */
  async #isStillKept(): Promise<boolean> {
    const kept = await this.#ports.recorder.verify();
    if (!kept.ok)
      this.halt({ kind: 'state-lost', message: kept.diagnostics.map(({ message }) => message).join(' ') });
    return !this.halted;
  }

  /** An answer to the update means that the record is there. Anything else leaves it open, a refusal as well. */
  async #confirm(write: Create, request: RecordedRequest): Promise<Written | 'open' | 'refused'> {
    if (!(await this.#isStillKept())) return 'open';
    const outcome = await this.#send({ ...write, request }, true);
    if (outcome.kind === 'answered' && outcome.body.id === write.request.body.id)
      return this.#accept({ ...write, request }, outcome.body);
    const mayPass = outcome.kind === 'unseen' || (outcome.kind === 'refused' && outcome.error.transient);
    return mayPass || this.halted ? 'open' : 'refused';
  }

  async #accept(write: Create | Update, answer: AnyAnswer): Promise<Written> {
    const { address } = write;
    const distrust = this.#distrust(write, answer);
    if (distrust) {
      const reason = distrustReason(answer, distrust);
      // A create waits for an operator with what was answered.
      if ('repeatable' in write) await this.#noteUnknown(address, reason, { answer });
      else await this.#doubt(write, reason);
      return { kind: 'distrusted', answer, distrust };
    }
    const verified = await this.#verified(write, answer);
    const isRecorded = await this.note({ type: 'answered', address, record: verified.record });
    return { kind: isRecorded ? 'answered' : 'unrecorded', ...verified };
  }

  /** Where the comparison itself goes wrong, the answer is not lost with it. */
  async #verified(write: Write, answer: AnyAnswer): Promise<Verified> {
    const { address, request, verify } = write;
    try {
      return verify(answer, request, this.#now());
    } catch (error) {
      const reason = `the record ${answer.id} could not be compared with what was sent`;
      const isCreate = this.#ports.recorder.entries.find('pending', address) !== undefined;
      if (isCreate) await this.#noteUnknown(address, reason, { answer });
      else await this.#doubt(write, reason);
      throw error;
    }
  }

  #distrust(write: Create | Update, answer: AnyAnswer): Distrust | undefined {
    const { recorder, teamId } = this.#ports;
    const distrust = distrustOf(write, answer, { entries: recorder.entries, teamId });
    if (distrust?.code === 'wrong-team')
      this.halt({ kind: 'wrong-team', expected: teamId, answered: answer.teamId });
    if (distrust?.code === 'other-id') this.#haltIfOther(write, answer.id);
    return distrust;
  }

  /** A create that was to be repeated safely has made a record of another id. True if so. */
  #haltIfOther(write: Create | Update, answered: string | undefined): boolean {
    const { address, expects } = write;
    if (!('repeatable' in write) || expects === undefined || answered === undefined) return false;
    this.halt({ kind: 'other-id', address, asked: expects, answered });
    return true;
  }

  /** Before anything is recorded of it: while the disk is waited for, other requests would start. */
  #haltIfSystemic(error: ServiceError): void {
    if (isSystemic(error)) this.halt({ kind: 'service', error });
  }

  #now(): string {
    return this.#ports.now().toISOString();
  }
}

/** What an exception says; ours are all errors. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isUnsent(outcome: Exclude<Outcome<AnyAnswer>, { kind: 'answered' }>): boolean {
  return outcome.kind === 'refused' && outcome.error.reason === 'interrupted';
}

const CREDENTIAL_STATUSES = new Set([401, 403]);

/** What is wrong with the service or the credentials is wrong for every other write as well. */
function isSystemic({ reason, status }: ServiceError): boolean {
  return (
    reason === 'unreachable' ||
    reason === 'tls' ||
    reason === 'redirect' ||
    (status !== undefined && CREDENTIAL_STATUSES.has(status))
  );
}
