import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { converse } from '../../src/commands/prompt.ts';

/** A terminal to type on, and all that its screen was sent. */
function terminal() {
  const stdin = new PassThrough();
  const written: string[] = [];
  const stderr = { write: (chunk: unknown) => written.push(String(chunk)) };
  const io = { stdin, stderr, onInterrupt: () => () => {} };
  const timed = <T>(_: string, work: () => Promise<T>) => work();
  const context = { io, timed, note() {}, flags: '' } as unknown as CommandContext;
  const type = async (keys: string) => {
    stdin.write(keys);
    for (let turn = 0; turn < 10; turn++) await setImmediate();
  };
  return { context, type, screen: () => written.join('') };
}

const question = (text: string, isSecret = false) => ({ text, isSecret, check: () => undefined });

const askLogin = (context: CommandContext) =>
  converse(context, async (ask) => [await ask(question('Username')), await ask(question('Password', true))]);

test.each([
  ['at once', ['me\nhush-rabbit\n']],
  ['with Enter typed later', ['me\nhush-', 'rabbit', '\n']],
  ['after the prompt', ['me\n', 'hush-rabbit\n']],
])('a password that is pasted %s is accepted and not shown', async (_, pastes) => {
  const { context, type, screen } = terminal();
  const login = askLogin(context);
  for (const keys of pastes) await type(keys);
  expect(await login).toEqual(['me', 'hush-rabbit']);
  expect(screen()).toContain('Username: ');
  expect(screen()).toContain('Password: ');
  expect(screen()).toContain('me');
  expect(screen()).not.toMatch(/hush|rabbit/);
});

test('text pasted beyond the last question is dropped and not shown', async () => {
  const { context, type, screen } = terminal();
  const sure = converse(context, (ask) => ask(question('Sure?')));
  await type('yes\nnobody\nhush-rabbit\n');
  expect(await sure).toBe('yes');
  const login = askLogin(context);
  await type('you\n');
  await type('other\n');
  expect(await login).toEqual(['you', 'other']);
  expect(screen()).not.toMatch(/nobody|hush|rabbit/);
});

test('answers that are pasted ahead appear beside their questions', async () => {
  const { context, type, screen } = terminal();
  const answers = converse(context, async (ask) => [
    await ask(question('One')),
    await ask(question('Two')),
    await ask(question('Three')),
  ]);
  await type('1\n2\n3');
  expect(screen()).toMatch(/Two: 2\r?\n[^2]*Three: 3[^2]*$/);
  await type('4\n');
  expect(await answers).toEqual(['1', '2', '34']);
});
