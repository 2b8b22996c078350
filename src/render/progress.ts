import type { Writable } from 'node:stream';
import type { ApplyEvent } from '../apply/model.ts';
import type { Entries } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import { linesOf, paragraphs } from './terminal.ts';
import { pluralize } from './words.ts';

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

const LISTED = 5;

/** After a first Ctrl-C. */
export const interruptedText =
  '\nStopping after requests in flight. Press Ctrl-C again to stop immediately.\n';

/**
 * After a second one: which outcomes the journal leaves open, and how to go on. `unwritten` it could not take. `flags`
 * make printed commands mean this environment.
 */
export function stoppedText(entries: Entries, unwritten: readonly StateEvent[], flags: string): string {
  const pending = entries.all('pending');
  const retired = entries.all('retired').filter(({ address }) => !entries.find('live', address));
  const written = [...entries.all('live'), ...entries.all('imported'), ...retired];
  const updates = written.filter(({ unconfirmed }) => unconfirmed);
  const lost = unwritten.flatMap((event) =>
    event.type === 'answered' || event.type === 'create-rejected' || event.type === 'update-rejected'
      ? [event]
      : [],
  );
  const addresses = [...new Set([...pending, ...updates, ...lost].map(({ address }) => address))];
  if (addresses.length === 0) return '\nStopped. Every outcome is known and in the journal.\n';
  const rest = addresses.length - LISTED;
  const listed = linesOf(addresses.slice(0, LISTED), rest > 0 && `${rest} more`).join(', ');
  const text = paragraphs(
    `Stopped. ${pluralize(addresses.length, 'outcome')} ${addresses.length === 1 ? 'is' : 'are'} unknown: ${listed}. The journal has each request.`,
    lost.flatMap((event) =>
      event.type === 'answered' ? `${event.address} is ${event.record.id}, which could not be recorded.` : [],
    ),
    `To settle what can be settled, run it again: trove apply${flags}`,
    pending.length + lost.length > 0 && `To list what is then still pending: trove resolve${flags}`,
  );
  return `\n${text}`;
}
