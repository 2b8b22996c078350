import type { Writable } from 'node:stream';
import type { ApplyEvent } from '../apply/model.ts';

const BAR = 30;

/**
 * Shows how far an apply is: one bar that stays in place on a terminal, and elsewhere a plain line at every
 * tenth, so that a log stays short. Gives a function that takes the events of the apply.
 */
export function progressOn(stream: Writable & { readonly isTTY?: boolean }): (event: ApplyEvent) => void {
  const terminal = stream.isTTY === true;
  let lastShown = -1;
  return (event) => {
    if (event.type === 'started' || event.total === 0) return;
    const { done, total } = event;
    const step = Math.floor((done / total) * (terminal ? 100 : 10));
    if (step === lastShown) return;
    lastShown = step;
    if (terminal) stream.write(`\r${bar(done, total)}${done === total ? '\r\x1b[K' : ''}`);
    else if (total >= 10) stream.write(`${done} of ${total} sent\n`);
  };
}

function bar(done: number, total: number): string {
  const full = Math.round((done / total) * BAR);
  return `[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${done} of ${total}`;
}
