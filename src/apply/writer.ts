import { namesRecord, type Outcome, type ServiceError } from '../api/outcome.ts';
import { type Address, kindOf } from '../catalog/model.ts';
import { idIn } from '../contract/api.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import { type StateEvent, takenBack } from '../state/event.ts';
import { recordingError } from '../state/journal-writer.ts';
import type { RecordedRequest } from '../state/model.ts';
import { distrustOf } from './distrust.ts';
import type { Create, Seen, Update, Verified, WriteHalt, WriterPorts, Written } from './model.ts';

type Unanswered = Exclude<Outcome<AnyAnswer>, { kind: 'answered' }> & {
  readonly back: StateEvent | undefined;
};

/**
 * The write protocol, for everything that is ever written to a service:
 *
 * ```text
 * intent durable -> send -> answered -> is it an answer to this? -> record durable
 *                        -> refused  -> the intent is taken back
 *                        -> unseen   -> a repeatable create is confirmed by an update of its ID, else pending
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

  /** A POST. A create of this address that is pending already may only be followed by one with the same ID. */
  async create(write: Create): Promise<Written> {
    const { address, repeatable, confirm } = write;
    const earlier = this.#ports.recorder.entries.find('pending', address);
    const sent = await this.#send(write, 'create-intent', repeatable);
    if (!('back' in sent)) return sent;
    const { error, kind, back } = sent;
    // A refusal after a create without a response may just mean that its record is there.
    if (kind === 'refused' && !earlier) {
      if (back) await this.note(back);
      return { kind, error };
    }
    const isOther = this.#haltIfOther(write, error.otherId);
    await this.#leaveOpen(write, { code: 'not-answered', error }, error);
    const confirmed = repeatable && confirm ? await this.#confirm(write, confirm()) : undefined;
    if (confirmed && confirmed.kind !== 'unseen') return confirmed;
    const isRefused = confirmed?.isLasting && kind === 'refused' && !error.transient;
    return { kind: 'unseen', error, ...((isOther || isRefused) && { isLasting: true }) };
  }

  /** A PUT, which may be repeated, but not forgotten: where its outcome is not seen, the record is in doubt. */
  async update(write: Update): Promise<Written> {
    const entry = this.#ports.recorder.entries.updatedBy(write.address, write.request);
    const sent = await this.#send(write, 'update-intent', true);
    if (!('back' in sent)) return sent;
    const { error, kind, back } = sent;
    if (kind === 'unseen') {
      this.#haltIfOther(write, error.otherId);
      await this.#leaveOpen(write, { code: 'not-answered', error }, error);
    } else if (back) await this.note(back);
    // A refusal tells nothing of what was sent before it.
    const isOpen = kind === 'unseen' || entry?.unconfirmed !== undefined;
    return { kind: isOpen ? 'unseen' : 'refused', error };
  }

  /** Records what changes nothing in the service. False: it could not be made durable, and the writer is halted. */
  async note(event: StateEvent): Promise<boolean> {
    try {
      await this.#ports.recorder.record(event);
      return true;
    } catch (error) {
      const { code, problems } = recordingError(error);
      this.halt({ kind: code === 'ESTALE' ? 'state-lost' : 'journal', problems });
      return false;
    }
  }

  /** Sends what was announced durably. What became of it; of a request without an answer, also what takes it back. */
  async #send(
    write: Create | Update,
    type: 'create-intent' | 'update-intent',
    repeatable: boolean,
  ): Promise<Written | Unanswered> {
    const { address, request } = write;
    const intent = { type, address, at: this.#now(), request };
    const back = takenBack(intent, this.#ports.recorder.entries);
    if (this.halted || !(await this.note(intent))) return { kind: 'stopped' };
    // To record it can take as long as a push does, and the lock may be lost meanwhile.
    const since = Date.parse(intent.at);
    const outcome = await this.#request(address, request, { repeatable, since });
    if (outcome.kind === 'answered') return this.#accept(write, outcome.body);
    this.#haltIfSystemic(outcome.error);
    const isUnsent = outcome.kind === 'refused' && outcome.error.reason === 'interrupted';
    if (!isUnsent) return { ...outcome, back };
    if (back) await this.note(back);
    return { kind: 'stopped' };
  }

  #request(
    address: Address,
    request: RecordedRequest,
    how: { readonly repeatable: boolean; readonly since?: number },
  ): Promise<Outcome<AnyAnswer>> {
    const { signal } = this.#stop;
    const mayGoOn = () => this.#isStillKept();
    return this.#ports.service.write(request, kindOf(address), { ...how, signal, mayGoOn });
  }

  /** Checked again before a request: whoever removed the lock may have resolved this create as not created. */
  async #isStillKept(): Promise<boolean> {
    const kept = await this.#ports.recorder.verify();
    if (!kept.ok) this.halt({ kind: 'state-lost', problems: kept.diagnostics });
    return !this.halted;
  }

  /** An answer to the update means that the record is there. Anything else leaves it open, a refusal as well. */
  async #confirm(write: Create, request: RecordedRequest): Promise<Written | undefined> {
    if (!(await this.#isStillKept())) return undefined;
    const outcome = await this.#request(write.address, request, { repeatable: true });
    if (outcome.kind === 'answered') return this.#accept({ ...write, request }, outcome.body);
    const { error } = outcome;
    this.#haltIfSystemic(error);
    // An ID that it names may be all that is left of a record.
    if (namesRecord(error)) await this.#leaveOpen(write, { code: 'not-answered', error });
    const isRefused = outcome.kind === 'refused' && !error.transient && !this.halted;
    return { kind: 'unseen', error, ...(isRefused && { isLasting: true }) };
  }

  async #accept(write: Create | Update, answer: AnyAnswer): Promise<Written> {
    const { recorder, environment } = this.#ports;
    const { teamId } = environment;
    const distrust = distrustOf(write, answer, { entries: recorder.entries, teamId });
    if (distrust) {
      if (distrust.code === 'wrong-team')
        this.halt({ kind: 'wrong-team', expected: teamId, answered: answer.teamId });
      if (distrust.code === 'other-id') this.#haltIfOther(write, answer.id);
      await this.#leaveOpen(write, distrust, { answer });
      return { kind: 'distrusted', answer, distrust };
    }
    const verified = await this.#verified(write, answer);
    const isRecorded = await this.note({
      type: 'answered',
      address: write.address,
      record: verified.record,
    });
    return { kind: isRecorded ? 'answered' : 'unrecorded', ...verified };
  }

  /** If the comparison itself throws, the answer to a pending create is kept: also that to an update which settles it. */
  async #verified(write: Create | Update, answer: AnyAnswer): Promise<Verified> {
    try {
      return write.verify(answer, write.request, this.#now());
    } catch (error) {
      const seen = { code: 'not-comparable', id: answer.id } as const;
      const pending = this.#ports.recorder.entries.find('pending', write.address);
      const updated = this.#ports.recorder.entries.updatedBy(write.address, write.request);
      await this.#leaveOpen(write, seen, { answer }, pending !== undefined && !updated);
      throw error;
    }
  }

  /**
   * A create waits for an operator, with what was answered. An update leaves the record in doubt that it was sent to; one
   * that looked for a record, and has made one of another ID, waits like a create, or nothing would have that ID.
   */
  async #leaveOpen(
    write: Create | Update,
    seen: Seen,
    { otherId, answer }: { readonly otherId?: string | undefined; readonly answer?: AnyAnswer } = {},
    isCreate = 'repeatable' in write,
  ): Promise<void> {
    const { address, request } = write;
    const { entries } = this.#ports.recorder;
    const pending = entries.find('pending', address);
    const updated = entries.updatedBy(address, request);
    const id = answer?.id ?? otherId;
    const isMade = this.#isSearch(write) && id !== undefined && idIn(request.path) !== id;
    // An operator named an ID for a pending create: what answered to that ID is kept beside what the create was answered.
    const isTelling = seen.code !== 'not-answered' || namesRecord(seen.error);
    if (isCreate || isMade || (pending && !updated && isTelling)) {
      const reason = this.#ports.seenText(seen, pending?.reason);
      const named = { ...(otherId !== undefined && { otherId }), ...(answer && { answer }) };
      const intent = isMade && { at: this.#now(), request };
      const more = (isCreate || isMade) && named;
      await this.note({ type: 'create-unknown', address, reason, ...intent, ...more });
    } else if (updated) {
      const reason = this.#ports.seenText(seen, updated.unconfirmed?.reason);
      const isNew =
        id !== undefined && id !== updated.id && entries.holderOf(kindOf(address), id) === undefined;
      await this.note({ type: 'update-unknown', address, reason, ...(isNew && { otherId: id }) });
    }
  }

  /** An update of an ID that nothing is recorded of. */
  #isSearch(write: Create | Update): boolean {
    const { entries } = this.#ports.recorder;
    const { address, request } = write;
    return (
      !('repeatable' in write) && !entries.find('pending', address) && !entries.updatedBy(address, request)
    );
  }

  /** A create that was to be repeated safely, or an update, has made a record of another ID. True if so. */
  #haltIfOther(write: Create | Update, answered: string | undefined): boolean {
    const { address, expects, request } = write;
    if (expects === undefined || answered === undefined || answered === expects) return false;
    this.halt({ kind: 'other-id', method: request.method, address, asked: expects, answered });
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

/** What is wrong with the service or the credentials is wrong for every other write as well. */
function isSystemic({ reason, status }: ServiceError): boolean {
  return ['unreachable', 'tls', 'redirect'].includes(reason) || status === 401 || status === 403;
}
