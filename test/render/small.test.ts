import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../../src/apply/model.ts';
import { renderSpaces } from '../../src/render/command-texts.ts';
import { renderCrash } from '../../src/render/diagnostics.ts';
import { renderPending } from '../../src/render/state-show-text.ts';
import { progressOn } from '../../src/render/terminal.ts';
import { change } from './sample-plan.ts';
import { links, pending, shownPending } from './sample-records.ts';

describe('pending creates', () => {
  test('show what was sent, what was returned and the next commands', () => {
    expect(renderPending(shownPending(pending), '')).toMatchInlineSnapshot(`
      "? item.iron-sword
          sent      2026-03-01T12:00:00.000Z  POST /items
          name      "Iron Sword"
          response  no response is recorded
          next      to send the same ID again: trove apply
                    trove resolve item.iron-sword --id ID
                    trove resolve item.iron-sword --not-created
      ? classifier.rarity
          sent      2026-03-01T12:00:00.000Z  POST /classifiers
          name      null
          response  the answer names team team_8 (record c1), and this environment is
                    team team_7
          answered  record c1 of team team_8
          next      trove resolve classifier.rarity --id ID
                    trove resolve classifier.rarity --not-created
      "
    `);
  });

  test('are reported as none if every outcome is known', () => {
    expect(renderPending([], '')).toBe('Nothing is pending: every create has a known outcome.\n');
  });
});

test('spaces are a table, or a sentence if there are none', () => {
  expect(renderSpaces('user_1', links)).toMatchInlineSnapshot(`
    "SPACE        GRID    ID
    Armoury      8 x 5   space_1
    Käse & Wein  12 x 5  space_2
    "
  `);
  expect(renderSpaces('user_1', [])).toBe('User user_1 has no spaces.\n');
});

describe('progress', () => {
  function shown(total: number, isTTY: boolean): string {
    const stream = new PassThrough();
    const show = progressOn(stream, isTTY);
    show({ type: 'started', total });
    for (let done = 1; done <= total; done++)
      show({ type: 'finished', result: resultOf(change('a', 'create'), 'applied'), done, total });
    return (stream.read() as Buffer | null)?.toString() ?? '';
  }

  test('in a log is a plain line for every tenth', () => {
    const lines = shown(1000, false).trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect([lines[1], lines.at(-1)]).toEqual(['100 of 1000 sent', '1000 of 1000 sent']);
    expect(shown(1000, false)).not.toMatch(/[^ -~\n]/);
  });

  test('in a log is nothing for a few requests', () => {
    expect([shown(9, false), shown(0, false)]).toEqual(['', '']);
  });

  test('on a terminal is one short bar that is removed at the end', () => {
    const text = shown(1000, true);
    expect(text).not.toContain('\n');
    const bars = text.split('\r').filter((part) => part.startsWith('['));
    expect(bars.length).toBeLessThanOrEqual(101);
    expect(bars.every((bar) => bar.length <= 80)).toBe(true);
    expect(text.endsWith('\r\u001b[K')).toBe(true);
    expect(shown(0, true)).toBe('');
  });
});

describe('a crash', () => {
  const error = new Error('it broke');

  test('prints a short message without a stack', () => {
    expect(renderCrash(error, false)).toBe(
      'error: internal error: it broke\n  = help: requests and responses so far are recorded; run it again with --debug\n          and report it\n',
    );
    expect(renderCrash('it broke', true)).toContain('internal error: it broke\n');
  });

  test('never prints a regular expression, which may contain anything', () => {
    const broken = new SyntaxError('Invalid regular expression: /s3cret/: Stack overflow');
    expect(renderCrash(broken, true)).not.toContain('s3cret');
  });

  test('prints every frame of the stack with --debug', () => {
    const lines = renderCrash(error, true).split('\n');
    expect(lines.filter((line) => /^ {4}at /.test(line)).length).toBeGreaterThan(1);
  });
});
