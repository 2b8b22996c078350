import { expect, test } from 'vitest';
import { nearest } from '../../src/text/nearest.ts';

test.each([
  ['itme', ['tile', 'item'], 'item'],
  ['odl', ['new', 'old'], 'old'],
  ['Sowrd', ['sword', 'word'], 'sword'],
  ['ab', ['xy'], undefined],
  ['damage', ['speed', 'dodge'], undefined],
])('the nearest name to %s in %j is %s', (name, candidates, meant) => {
  expect(nearest(name, candidates)).toBe(meant);
});

test('only the first of very many long candidates are compared', () => {
  let compared = 0;
  function* candidates() {
    for (; compared < 100_000; compared++) yield `${'x'.repeat(100)}${compared}`;
  }
  nearest('y'.repeat(100), candidates());
  expect(compared).toBeLessThan(2000);
});
