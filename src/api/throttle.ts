/** How a task went, as far as the service's load is concerned. */
export type Load = 'fine' | 'overloaded' | 'unclear';

/** A task's value, and what it says of the service's load. */
export interface Measured<T> {
  readonly value: T;
  readonly load: Load;
  /** How long the service asked to be left alone. */
  readonly pauseMs?: number | undefined;
}

interface ThrottleOptions {
  /** Tasks that run at once at most; at least 1. */
  readonly maximum: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** Must reject when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Lets at most `limit` tasks run at once, first come, first served. The limit rises by one after as many successes as
 * it is high (a window) and halves when the service says that it is overloaded (additive increase, multiplicative
 * decrease).
 */
export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #waiting = new Set<(begins: boolean) => void>();
  #limit: number;
  #running = 0;
  #successes = 0;
  /**
   * Counts the halvings: a task that began before the last one says nothing about the new limit, so sixteen refusals at
   * once halve it once.
   */
  #epoch = 0;
  /** No task begins before this instant. */
  #pausedUntil = 0;
  #wake: AbortController | undefined;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    // A quarter to begin with: what the service stands is not documented, and the first windows are short.
    this.#limit = Math.ceil(options.maximum / 4);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Runs a task when its turn comes. Gives null, without running it, when the signal is aborted before that. */
  async run<T>(task: () => Promise<Measured<T>>, signal?: AbortSignal): Promise<T | null> {
    if (!(await this.#turn(signal))) return null;
    const epoch = this.#epoch;
    try {
      const { value, load, pauseMs = 0 } = await task();
      if (load === 'overloaded') this.#slowDown(epoch, this.#options.now() + pauseMs);
      if (load === 'fine' && epoch === this.#epoch) this.#succeed();
      return value;
    } finally {
      this.#running -= 1;
      this.#admit();
    }
  }

  #slowDown(epoch: number, until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    if (epoch !== this.#epoch) return;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#successes = 0;
    this.#epoch += 1;
  }

  #succeed(): void {
    this.#successes += 1;
    if (this.#successes < this.#limit) return;
    this.#successes = 0;
    this.#limit = Math.min(this.#options.maximum, this.#limit + 1);
  }

  #turn(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const decide = (begins: boolean) => {
        signal?.removeEventListener('abort', leave);
        this.#waiting.delete(decide);
        resolve(begins);
      };
      const leave = () => {
        decide(false);
        this.#admit();
      };
      signal?.addEventListener('abort', leave);
      this.#waiting.add(decide);
      if (signal?.aborted) leave();
      else this.#admit();
    });
  }

  #admit(): void {
    for (const decide of this.#waiting) {
      if (this.#running >= this.#limit) return;
      if (this.#pausedUntil > this.#options.now()) {
        this.#wakeLater();
        return;
      }
      this.#running += 1;
      decide(true);
    }
    // Nothing waits: a timer that went on would only keep the process from ending.
    this.#wake?.abort();
  }

  #wakeLater(): void {
    if (this.#wake) return;
    this.#wake = new AbortController();
    const awake = () => {
      this.#wake = undefined;
      this.#admit();
    };
    const { now, sleep } = this.#options;
    sleep(this.#pausedUntil - now(), this.#wake.signal).then(awake, awake);
  }
}
