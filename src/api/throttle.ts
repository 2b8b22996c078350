/** How a task went, as far as the service's load is concerned. */
export type Load = 'fine' | 'overloaded' | 'unclear';

/**
 * The rate at one moment. `limit` tasks may run at once. It rises by one after as many successes as it is high
 * (a window) and halves when the service says that it is overloaded (additive increase, multiplicative
 * decrease). `epoch` counts the halvings: a task that began before the last one says nothing about the new
 * limit, so sixteen refusals at once halve it once.
 */
interface ThrottleState {
  readonly maximum: number;
  readonly limit: number;
  readonly running: number;
  readonly successes: number;
  readonly epoch: number;
  /** No task begins before this instant, in milliseconds of the same clock as `now`. */
  readonly pausedUntil: number;
}

export type ThrottleEvent =
  | { readonly type: 'begun' }
  | {
      readonly type: 'ended';
      readonly load: Load;
      /** The epoch in which it began. */
      readonly epoch: number;
      readonly now: number;
      /** How long the service asked to be left alone. */
      readonly pauseMs: number;
    };

export function initialThrottle(maximum: number): ThrottleState {
  // A quarter to begin with: what the service stands is not documented, and the first windows are short.
  const limit = Math.max(1, Math.ceil(maximum / 4));
  return { maximum, limit, running: 0, successes: 0, epoch: 0, pausedUntil: 0 };
}

/** The state after an event. Pure; `createThrottle` is the shell that holds it. */
export function nextThrottle(state: ThrottleState, event: ThrottleEvent): ThrottleState {
  if (event.type === 'begun') return { ...state, running: state.running + 1 };
  const ended = { ...state, running: state.running - 1 };
  if (event.load === 'overloaded') return slower(ended, event.epoch, event.now + event.pauseMs);
  return event.load === 'fine' && event.epoch === state.epoch ? succeeded(ended) : ended;
}

function slower(state: ThrottleState, epoch: number, until: number): ThrottleState {
  const pausedUntil = Math.max(state.pausedUntil, until);
  if (epoch !== state.epoch) return { ...state, pausedUntil };
  const limit = Math.max(1, Math.floor(state.limit / 2));
  return { ...state, limit, successes: 0, epoch: state.epoch + 1, pausedUntil };
}

function succeeded(state: ThrottleState): ThrottleState {
  const successes = state.successes + 1;
  if (successes < state.limit) return { ...state, successes };
  return { ...state, successes: 0, limit: Math.min(state.maximum, state.limit + 1) };
}

/** A task's value, and what it says of the service's load. */
export interface Measured<T> {
  readonly value: T;
  readonly load: Load;
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

export interface Throttle {
  /**
   * Runs a task when its turn comes, first come, first served. Gives null, without running it, when the signal
   * is aborted before that.
   */
  run<T>(task: () => Promise<Measured<T>>, signal?: AbortSignal): Promise<T | null>;
}

/** Holds a throttle's state and the queue of those that wait for it. */
export function createThrottle({ maximum, now, sleep }: ThrottleOptions): Throttle {
  let state = initialThrottle(maximum);
  let wake: AbortController | undefined;
  const waiting = new Set<(begins: boolean) => void>();

  const admit = () => {
    for (const decide of waiting) {
      if (state.running >= state.limit) return;
      if (state.pausedUntil > now()) return wakeLater();
      state = nextThrottle(state, { type: 'begun' });
      decide(true);
    }
    // Nobody waits: a timer that went on would only keep the process from ending.
    wake?.abort();
  };
  const wakeLater = () => {
    if (wake) return;
    wake = new AbortController();
    const awake = () => {
      wake = undefined;
      admit();
    };
    sleep(state.pausedUntil - now(), wake.signal).then(awake, awake);
  };
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<boolean>((resolve) => {
      const decide = (begins: boolean) => {
        signal?.removeEventListener('abort', leave);
        waiting.delete(decide);
        resolve(begins);
      };
      const leave = () => {
        decide(false);
        admit();
      };
      signal?.addEventListener('abort', leave);
      waiting.add(decide);
      if (signal?.aborted) leave();
      else admit();
    });

  return {
    async run(task, signal) {
      if (!(await turn(signal))) return null;
      const { epoch } = state;
      let load: Load = 'unclear';
      let pauseMs = 0;
      try {
        const measured = await task();
        load = measured.load;
        pauseMs = measured.pauseMs ?? 0;
        return measured.value;
      } finally {
        state = nextThrottle(state, { type: 'ended', load, epoch, now: now(), pauseMs });
        admit();
      }
    },
  };
}
