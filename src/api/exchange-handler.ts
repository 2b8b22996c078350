import type { Dispatcher } from 'undici';
import { MAX_ANSWER_BYTES, type Reply } from './outcome.ts';

/** An error of our own that classify.ts tells apart by its code, as it does those of the network. */
export function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Collects one answer from undici's callbacks and gives exactly one reply, also when told to stop waiting. */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #settle: (reply: Reply) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #sent = false;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<Extract<Reply, { kind: 'reply' }>, 'status' | 'headers'> | undefined;

  /** Once `signal` is aborted the exchange does not start; one that has started goes on. */
  constructor(settle: (reply: Reply) => void, signal?: AbortSignal) {
    this.#settle = settle;
    this.#signal = signal;
  }

  // Comes right before the first byte is written. undici may put a request on a second connection when the
  // first one ends; whether that is safe is not for it to decide, so a second start is stopped.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.interrupt();
    if (this.#settled || this.#sent) {
      controller.abort(withCode('ECONNRESET'));
      return;
    }
    this.#sent = true;
    this.#controller = controller;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ) {
    // Informational answers (103, say) come before the real one.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) this.stop(withCode('ANSWER_TOO_LARGE'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#head) this.#give({ kind: 'reply', ...this.#head, body: Buffer.concat(this.#chunks) });
    else this.stop(withCode('UND_ERR_SOCKET'));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.stop(error);
  }

  /** Gives up waiting for a connection if the signal says so. What has begun to leave this machine goes on. */
  interrupt(): void {
    if (this.#signal?.aborted && !this.#sent) this.stop(withCode('INTERRUPTED'));
  }

  /** Ends the exchange with what is there: nothing more is sent or read. */
  stop(error: unknown): void {
    const body = Buffer.concat(this.#chunks);
    if (this.#head) this.#give({ kind: 'reply', ...this.#head, body, bodyError: error });
    else this.#give({ kind: 'no-reply', error, sent: this.#sent });
    this.#controller?.abort(error instanceof Error ? error : withCode('ECONNRESET'));
  }

  #give(reply: Reply): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(reply);
  }
}
