import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import type { Reply } from '../../src/api/outcome.ts';
import { ExchangeHandler } from '../../src/api/transport.ts';

/** What undici hands to a handler, and whether it was told to stop. */
function createController() {
  const aborts: Error[] = [];
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => aborts.push(reason),
    pause: () => {},
    resume: () => {},
  };
  return { aborts, controller };
}

test('a request that was given up while it connected is not written any more', () => {
  const replies: Reply[] = [];
  const handler = new ExchangeHandler((reply) => replies.push(reply));
  const { aborts, controller } = createController();
  handler.stop(new Error('given up'));
  handler.onRequestStart(controller);
  expect(replies).toMatchObject([{ sent: false }]);
  expect(aborts).toHaveLength(1);
});

test('a request that undici starts on a second connection is stopped there', () => {
  const replies: Reply[] = [];
  const handler = new ExchangeHandler((reply) => replies.push(reply));
  const first = createController();
  const second = createController();
  handler.onRequestStart(first.controller);
  handler.onRequestStart(second.controller);
  expect(first.aborts).toHaveLength(0);
  expect(second.aborts).toHaveLength(1);
  handler.onResponseError(second.controller, new Error('stopped'));
  expect(replies).toMatchObject([{ sent: true }]);
});

test('an informational answer is not the answer', () => {
  const replies: Reply[] = [];
  const handler = new ExchangeHandler((reply) => replies.push(reply));
  const { controller } = createController();
  handler.onRequestStart(controller);
  handler.onResponseStart(controller, 103, {});
  handler.onResponseError(controller, new Error('gone'));
  handler.onResponseError(controller, new Error('gone again'));
  expect(replies).toMatchObject([{ sent: true }]);
  expect(replies).toHaveLength(1);
});
