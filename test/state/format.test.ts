import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatState, parseState } from '../../src/state/format.ts';
import type { State } from '../../src/state/model.ts';
import { fold } from '../../src/state/reduce.ts';
import { answered, emptyState, itemRecord } from './events.ts';
import { possibleEvents } from './possible-events.ts';
import { rulesOf, unwrap } from './results.ts';

const path = 'state/staging.json';

describe('formatState', () => {
  it('sorts keys at every level, indents by two spaces and ends with a line break', () => {
    const text = formatState(fold(emptyState(), [answered('item.b'), answered('item.a')]));
    expect(text.startsWith('{\n  "formatVersion": 1,\n  "lineage": ')).toBe(true);
    expect(text.endsWith('}\n')).toBe(true);
    const keys = [...text.matchAll(/^ {4}"(item\.\w)"/gm)].map(([, key]) => key);
    expect(keys).toEqual(['item.a', 'item.b']);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('gives equal text for equal states, whatever the order in which they came about', () => {
    const events = [answered('item.a', '1'), answered('item.b', '2'), answered('item.c', '3')];
    expect(formatState(fold(emptyState(), events))).toBe(
      formatState(fold(emptyState(), events.toReversed())),
    );
  });

  it('is read back as the same state', () => {
    fc.assert(
      fc.property(possibleEvents(20), (events) => {
        const state = fold(emptyState(), events);
        expect(unwrap(parseState(formatState(state), path))).toEqual(state);
      }),
    );
  });

  it('keeps a key __proto__ that a service answers as a key like any other', () => {
    const record = itemRecord('1');
    const answer = JSON.parse(JSON.stringify(record.answer).replace('{', '{"__proto__":{"polluted":true},'));
    const state = fold(emptyState(), [
      { type: 'answered', address: 'item.a', record: { ...record, answer } },
    ]);
    const again = unwrap(parseState(formatState(state), path));
    expect(Object.hasOwn(again.resources['item.a']?.answer ?? {}, '__proto__')).toBe(true);
    expect({}).not.toHaveProperty('polluted');
    expect(formatState(again)).toBe(formatState(state));
  });
});

describe('parseState refuses', () => {
  const complaint = (text: string) => {
    const parsed = parseState(text, path);
    return parsed.ok ? undefined : parsed.diagnostics[0];
  };
  const altered = (change: object) => formatState({ ...emptyState(), ...change } as State);

  it('a newer format, whatever else it holds', () => {
    const newer = complaint('{"formatVersion": 2, "somethingNew": true}');
    expect(newer).toMatchObject({ rule: 'state-format-newer', subject: path });
    expect(newer?.message).toContain('written by a newer Trove');
    expect(newer?.hint).toContain('version of Trove');
  });

  it('what is not JSON, and names an unfinished merge', () => {
    expect(complaint('{"formatVersion": 1,')).toMatchObject({ rule: 'state-not-json', subject: path });
    expect(complaint('<<<<<<< HEAD\n{}\n=======\n')?.message).toContain('unfinished git merge');
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['an older format', altered({ formatVersion: 0 })],
    ['an unknown field', altered({ extra: 1 })],
    ['a serial that is no whole number', altered({ serial: 1.5 })],
    ['an address of no kind', altered({ resources: { 'sword.a': itemRecord('1') } })],
    [
      'a key __proto__ among the resources',
      altered({}).replace('"resources": {}', '"resources": {"__proto__": {}}'),
    ],
    ['a classifier with the answer of an item', altered({ resources: { 'classifier.a': itemRecord('1') } })],
    ['a record without its id', altered({ resources: { 'item.a': { ...itemRecord('1'), id: undefined } } })],
    [
      'an address that is pending twice',
      altered({ pending: [1, 2].map(() => ({ address: 'item.a', at: '', request: itemRecord('1').sent })) }),
    ],
  ])('%s', (_, text) => {
    expect(complaint(text)).toMatchObject({ rule: 'state-invalid', subject: path, severity: 'error' });
  });

  it('a state of many mistakes with a list that ends', () => {
    const resources = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`item.n${n}`, {}]));
    const rules = rulesOf(parseState(altered({ resources }), path));
    expect(rules.length).toBeGreaterThan(1);
    expect(rules.length).toBeLessThan(20);
  });
});
