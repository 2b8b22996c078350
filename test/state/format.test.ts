import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import { formatState, parseState } from '../../src/state/format.ts';
import type { State } from '../../src/state/model.ts';
import { rendered } from '../rig/in-words.ts';
import fc from '../rig/property.ts';
import { recorded } from '../rig/recorded.ts';
import { answered, emptyState, intent, itemRecord } from './events.ts';
import { possibleEvents } from './possible-events.ts';
import { unwrap } from './results.ts';

const path = 'state/staging.json';
const savedState = { ...emptyState(), serial: 1 };

describe('formatState', () => {
  it('sorts keys at every level, indents by two spaces and ends with a line break', () => {
    const text = formatState(fold(savedState, [answered('item.b'), answered('item.a')]));
    expect(text.startsWith('{\n  "entries": [\n    {\n      "address": "item.a",')).toBe(true);
    expect(text.endsWith('}\n')).toBe(true);
    const addresses = [...text.matchAll(/^ {6}"address": "(item\.\w)"/gm)].map(([, address]) => address);
    expect(addresses).toEqual(['item.a', 'item.b']);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('gives equal text for equal states, whatever the order of their events', () => {
    const events = [answered('item.a', '1'), answered('item.b', '2'), answered('item.c', '3')];
    expect(formatState(fold(savedState, events))).toBe(formatState(fold(savedState, events.toReversed())));
  });

  it('gives text that is read back as the same state', () => {
    fc.assert(
      fc.property(possibleEvents(20), (events) => {
        const state = fold(savedState, events);
        expect(unwrap(parseState(formatState(state), path))).toEqual(state);
      }),
    );
  });

  it('keeps a key __proto__ in a response like any other key', () => {
    const record = itemRecord('1');
    const answer = JSON.parse(JSON.stringify(record.answer).replace('{', '{"__proto__":{"polluted":true},'));
    const state = fold(savedState, [{ type: 'answered', address: 'item.a', record: { ...record, answer } }]);
    const again = unwrap(parseState(formatState(state), path));
    expect(Object.hasOwn(recorded(again).live['item.a']?.answer ?? {}, '__proto__')).toBe(true);
    expect({}).not.toHaveProperty('polluted');
    expect(formatState(again)).toBe(formatState(state));
  });
});

it('a state with an unusable ID from a response can be read back', () => {
  const unknown = { type: 'create-unknown', address: 'item.a', reason: 'r', otherId: '..' } as const;
  const state = fold(savedState, [intent('item.a'), unknown]);
  expect(unwrap(parseState(formatState(state), path))).toEqual(state);
});

describe('parseState refuses', () => {
  const complaint = (text: string) => {
    const parsed = parseState(text, path);
    return parsed.ok ? undefined : parsed.diagnostics[0];
  };
  const live = (address: string, id: string) => ({ status: 'live', address, ...itemRecord(id) });
  const pendingItem = { status: 'pending', address: 'item.a', at: '', request: itemRecord('1').sent };
  const altered = (change: object) => formatState({ ...savedState, ...change } as State);

  it('a newer format, whatever else it holds', () => {
    const newer = complaint('{"formatVersion": 3, "somethingNew": true}');
    expect(newer).toMatchObject({
      rule: 'state-format-newer',
      values: { found: 3, known: 2 },
      subject: path,
    });
  });

  it('an older format', () => {
    expect(complaint('{"formatVersion": 1, "resources": {}}')).toMatchObject({ rule: 'state-format-older' });
  });

  it('text that is not JSON, and reports an unfinished merge', () => {
    expect(complaint('{"formatVersion": 2,')).toMatchObject({ rule: 'state-not-json', subject: path });
    expect(complaint('<<<<<<< HEAD\n{}\n=======\n')).toMatchObject({ values: { why: 'merge-conflict' } });
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['an unknown field', altered({ extra: 1 })],
    ['a serial that is not a whole number', altered({ serial: 1.5 })],
    ['the serial of a state that was never saved', altered({ serial: 0 })],
    ['an address of an unknown kind', altered({ entries: [{ ...live('item.a', '1'), address: 'sword.a' }] })],
    ['an entry without a status', altered({ entries: [{ ...live('item.a', '1'), status: undefined }] })],
    ['a classifier with the response of an item', altered({ entries: [live('classifier.a', '1')] })],
    ['an item with options', altered({ entries: [{ ...live('item.a', '1'), options: {} }] })],
    ['a record without its ID', altered({ entries: [{ ...live('item.a', '1'), id: undefined }] })],
    [
      'a record with a field of another status',
      altered({ entries: [{ ...live('item.a', '1'), retiredAt: '' }] }),
    ],
    [
      'a create with an ID that is a path',
      altered({ entries: [{ ...pendingItem, request: itemRecord('..').sent }] }),
    ],
    [
      'a retired ID of a forgotten address that is a path',
      altered({ entries: [{ status: 'forgotten', address: 'item.a', id: '1', at: '', others: ['..'] }] }),
    ],
    ['an address that is pending twice', altered({ entries: [1, 2].map(() => pendingItem) })],
    [
      'a body that is nested too deep to be written',
      altered({
        entries: [{ ...live('item.a', '1'), sent: { ...itemRecord('1').sent, body: { name: 'x' } } }],
      }).replace('"name": "x"', `"name": ${'['.repeat(5000)}${']'.repeat(5000)}`),
    ],
    ['two addresses with one ID', altered({ entries: [live('item.a', '1'), live('item.b', '1')] })],
    [
      'an import of the ID of another address',
      altered({ entries: [live('item.b', '1'), { status: 'imported', address: 'item.a', id: '1', at: '' }] }),
    ],
  ])('%s', (_, text) => {
    expect(complaint(text)).toMatchObject({ rule: 'state-invalid', subject: path, severity: 'error' });
  });

  it.each([
    ['levels', '['.repeat(1_000_000)],
    ['values', `[${'{},'.repeat(2 ** 22)}{}]`],
  ])('a text with too many %s before it is parsed', (_, text) => {
    expect(complaint(text)).toMatchObject({ rule: 'state-invalid', values: { flaw: 'too-much' } });
  });

  it('a state with many mistakes, and reports the first and their number', () => {
    const extra = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`extra${n}`, 1]));
    const found = parseState(altered(extra), path);
    expect(rendered(found.ok ? [] : found.diagnostics)).toMatch(
      /"extra\d+"\); 10 more\s+problems of this kind\s/,
    );
  });
});
