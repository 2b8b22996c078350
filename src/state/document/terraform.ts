import { createHash, randomInt, randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isLoopback } from '../../contract/api.ts';
import { authorizationOf, type Credentials, createRedact } from '../../contract/redact.ts';
import {
  type Diagnostic,
  error,
  failure,
  type Problems,
  type Result,
  success,
} from '../../text/diagnostic.ts';
import type { Trouble } from '../shared/engine.ts';
import type { DocumentPlace, Found } from './engine.ts';
import { type Answer, exchange, saidIn } from './exchange.ts';

export interface TerraformOptions {
  /** Undefined: `needs` is not set. */
  readonly address: string | undefined;
  readonly needs: string;
  /** How the lock of the protocol is taken and released; absent: the server refuses a serial that it has, as GitLab's. */
  readonly lock?: { readonly take: Ask; readonly release: Ask } | undefined;
  readonly credentials?: Credentials | undefined;
}

interface Ask {
  readonly method: string;
  readonly address: string;
}

const DENIED = [401, 403];
/** Also to whoever has the lock already, since the answer to that was lost. */
const HELD = [409, 423];
const NO_LOCK = [404, 405, 501];
const RETRIES = 3;
const PAUSE_MS = 500;

/**
 * A state on a server with the protocol of Terraform's `http` backend. The compare-and-swap is the server's, if it
 * refuses a serial that it has, or made of the protocol's lock around each read and write.
 */
export class TerraformState implements DocumentPlace {
  readonly #options: TerraformOptions;
  readonly #address: string;
  /** Of every lock of this object, so that one whose answer was lost is known for ours. */
  readonly #id = randomUUID();
  readonly #subject: string;

  /** `subject`: the state, as problems name it. */
  constructor(options: TerraformOptions, subject: string) {
    this.#options = options;
    this.#address = options.address ?? '';
    this.#subject = subject;
  }

  async read(): Promise<Result<Found | undefined>> {
    const unusable = this.#unusable();
    if (unusable) return failure(this.problem(unusable));
    const answer = await this.#ask('GET', this.#address);
    if (answer instanceof Error) return failure(this.problem('unreachable', answer.message));
    const { status, text } = answer;
    if (status === 404 || status === 204 || (status === 200 && text === '')) return success(undefined);
    if (status === 200) return success({ text, tag: tagOf(text) });
    return failure(this.problem(DENIED.includes(status) ? 'denied' : 'unreachable', saidIn(answer)));
  }

  #unusable(): 'no-address' | 'insecure' | undefined {
    const { lock, credentials } = this.#options;
    const all = [this.#address, ...(lock ? [lock.take.address, lock.release.address] : [])];
    if (!all.every((address) => /^https?:/.test(address) && URL.canParse(address))) return 'no-address';
    const isReadable = all
      .map((address) => new URL(address))
      .some(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname));
    return credentials && isReadable ? 'insecure' : undefined;
  }

  async replace(text: string, before: Found | undefined): Promise<{ readonly tag: string } | Trouble> {
    const { lock } = this.#options;
    if (!lock) return this.#write(text);
    const taken = await this.#take(lock.take);
    if (taken) return taken;
    const now = await this.read();
    const isCurrent = now.ok && now.value?.tag === before?.tag;
    // What can't be read is read again by whoever is told of a conflict.
    const conflict = { kind: 'conflict' as const, problem: this.problem('busy') };
    const done = isCurrent ? await this.#write(text, this.#id) : conflict;
    await this.#release(lock.release);
    return done;
  }

  async #write(text: string, id?: string): Promise<{ readonly tag: string } | Trouble> {
    const url = new URL(this.#address);
    if (id !== undefined) url.searchParams.set('ID', id);
    const answer = await this.#ask('POST', url.href, text);
    // Without content: GitLab has not saved a body that did not arrive.
    const isDone = !(answer instanceof Error) && (answer.status === 200 || answer.status === 201);
    return isDone ? { tag: tagOf(text) } : this.#troubleOf(answer);
  }

  /** Undefined: the lock is ours, also if a server that lost its answer says that we have it. */
  async #take({ method, address }: Ask): Promise<Trouble | undefined> {
    const Who = `${userInfo().username}@${hostname()}`;
    const facts = { ID: this.#id, Operation: 'trove', Who, Created: new Date().toISOString() };
    const info = JSON.stringify({ ...facts, Info: '', Version: '', Path: '' });
    const answer = await this.#askAgain(method, address, info);
    if (answer instanceof Error) return this.#troubleOf(answer);
    const { status, text } = answer;
    const isOurs = HELD.includes(status) && holderIn(text)?.ID === this.#id;
    if (status === 200 || isOurs) return undefined;
    return NO_LOCK.includes(status)
      ? { kind: 'refused', problem: this.problem('no-lock', saidIn(answer)) }
      : this.#troubleOf(answer);
  }

  async #release({ method, address }: Ask): Promise<void> {
    await this.#askAgain(method, address, JSON.stringify({ ID: this.#id }));
  }

  /** Of what may be asked twice, since it names who asks. */
  async #askAgain(method: string, address: string, body: string): Promise<Answer | Error> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#ask(method, address, body);
      const isLost = answer instanceof Error || answer.status >= 500;
      if (!isLost || attempt === RETRIES || (!(answer instanceof Error) && NO_LOCK.includes(answer.status)))
        return answer;
      await setTimeout(randomInt(PAUSE_MS));
    }
  }

  #ask(method: string, url: string, body?: string): Promise<Answer | Error> {
    const { credentials } = this.#options;
    const headers = {
      ...(credentials && { authorization: authorizationOf(credentials) }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-md5': createHash('md5').update(body).digest('base64'),
      }),
    };
    return exchange({ method, url, headers, body });
  }

  #troubleOf(answer: Answer | Error): Trouble {
    if (answer instanceof Error)
      return { kind: 'unknown', problem: this.problem('unreachable', answer.message) };
    const said = saidIn(answer);
    const holder = HELD.includes(answer.status) ? holderIn(answer.text) : undefined;
    if (holder?.ID !== undefined)
      return { kind: 'conflict', problem: this.problem('held', `${holder.Who} ${holder.ID}`) };
    if (DENIED.includes(answer.status)) return { kind: 'refused', problem: this.problem('denied', said) };
    if (answer.status === 413) return { kind: 'refused', problem: this.problem('refused', said) };
    return { kind: 'unknown', problem: this.problem('refused', said) };
  }

  problem(why: Problems['state-server']['why'], said = ''): Diagnostic {
    const origin = URL.canParse(this.#address) ? new URL(this.#address).origin : '';
    const { credentials } = this.#options;
    const redact = createRedact(...(credentials ? [credentials] : []));
    return error(
      'state-server',
      { why, said: redact(said), origin, needs: this.#options.needs },
      { subject: this.#subject },
    );
  }
}

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function holderIn(text: string): { readonly ID?: unknown; readonly Who?: unknown } | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}
