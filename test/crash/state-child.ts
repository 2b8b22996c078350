import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { Address } from '../../src/catalog/model.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { openSession, type Session } from '../../src/state/session.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { answered, emptyState, intent, owner } from '../state/events.ts';

/** A process of its own, to be killed: `state-child COMMAND PATH ARGUMENT`. What it prints, it was promised. */
const [command, path = '', argument = ''] = process.argv.slice(2);
const commands: Readonly<Record<string, () => Promise<void>>> = {
  append: appendUntilKilled,
  steps: takeSteps,
  lock,
};
await commands[command ?? '']?.();

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function openState(): Promise<Session> {
  const outcome = unwrap(
    await openSession(new FileStore({ path }), await owner(), { initial: emptyState() }),
  );
  if (outcome.kind !== 'open') throw new Error(JSON.stringify(outcome));
  return outcome.session;
}

/** Four records at a time, as an apply does, with a save now and then. */
async function appendUntilKilled(): Promise<void> {
  const session = await openState();
  say('open');
  for (let round = 0; ; round++) {
    await Promise.all([0, 1, 2, 3].map((lane) => createOne(session, `item.r${argument}-${round}-${lane}`)));
    if (round % 7 === 6) await session.save();
  }
}

async function createOne(session: Session, address: Address): Promise<void> {
  await session.record(intent(address));
  say(`intent ${address}`);
  await session.record(answered(address));
  say(`answered ${address}`);
}

/** The same few steps every time, so that a test can stop it at each of its calls to the system. */
async function takeSteps(): Promise<void> {
  const opened = await openSession(new FileStore({ path }), await owner(), { initial: emptyState() });
  if (!opened.ok || opened.value.kind !== 'open') return say('not opened');
  const { session } = opened.value;
  for (const name of ['a', 'b']) {
    await attempt(session, intent(`item.${name}1`));
    await attempt(session, answered(`item.${name}1`));
    await attempt(session, intent(`item.${name}2`));
    say((await session.save()).ok ? 'saved' : 'not saved');
  }
  say((await session.close()).ok ? 'done' : 'not closed');
}

async function attempt(session: Session, event: StateEvent): Promise<void> {
  try {
    await session.record(event);
    say(`${event.type} ${'address' in event ? event.address : ''}`);
  } catch (cause) {
    say(`failed ${(cause as { code?: string }).code}`);
  }
}

/** Tries once to take the lock, on command, and keeps it until its input ends. */
async function lock(): Promise<void> {
  const me = await owner();
  say('ready');
  await once(process.stdin, 'data');
  const store = new FileStore({ path });
  const outcome = unwrap(await store.lock.take(me));
  say(`${outcome.kind}${outcome.kind === 'acquired' && outcome.takenOver ? ' taken over' : ''}`);
  process.stdin.resume();
  await once(process.stdin, 'end');
  if (outcome.kind === 'acquired') await store.lock.release();
}

function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.diagnostics));
}
