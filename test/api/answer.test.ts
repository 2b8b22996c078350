import { describe, expect, test, vi } from 'vitest';
import { parseJson, readAnswer } from '../../src/api/answer.ts';
import { createRedact } from '../../src/api/redact.ts';
import { idsIn } from '../../src/api/traces.ts';

const redact = createRedact({ username: 'designer', password: 'k3ep-me-s3cret' });
const option = { id: 'o1', name: 'Rare', dropRateMultiplier: 0.5, classifierId: 'c1' };
const classifier = {
  id: 'c1',
  name: 'Rarity',
  teamId: 'team_7',
  createdAt: 'then',
  updatedAt: null,
  classifierOptions: [option],
};
const idsOf = (body: string | Buffer) => idsIn(Buffer.from(body), redact).ids;
const read = (text: string, sent?: object) => readAnswer('createClassifier', Buffer.from(text), redact, sent);

test.each<[string, string | Buffer, string | undefined]>([
  ['brackets inside of strings', JSON.stringify(['['.repeat(100), `\\"${'{'.repeat(100)}`]), undefined],
  ['32 levels', '['.repeat(32) + ']'.repeat(32), undefined],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), 'too-deep'],
  ['33 objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'too-deep'],
  ['a text of megabytes', `["${'\\\\'.repeat(2_000_000)}"`, 'not-json'],
  ['megabytes of brackets', '['.repeat(16_000_000), 'too-large'],
  ['blanks', ' ', 'empty'],
  ['half an object', '{', 'not-json'],
  ['other bytes', Buffer.from([0x22, 0xc3, 0x22]), 'not-utf8'],
])('JSON from another machine: %s', (_, text, problem) => {
  const parsed = parseJson(Buffer.from(text));
  expect(parsed.ok ? undefined : parsed.problem.code).toBe(problem);
  if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(String(text)));
});

describe('a readable answer', () => {
  test('keeps documented fields only, at every level', () => {
    const more = { ...classifier, debug: 'x', classifierOptions: [{ ...option, debug: 'y' }] };
    expect(read(JSON.stringify(more))).toEqual({ ok: true, body: classifier });
    const text = JSON.stringify(classifier).replace('{', '{"__proto__":{"polluted":1},');
    expect(read(text)).toEqual({ ok: true, body: classifier });
  });

  test('has no credential in any text', () => {
    const echo = { ...classifier, name: 'for k3ep-me-s3cret', teamId: 'k3ep-me-s3cret' };
    expect(read(JSON.stringify(echo))).toMatchObject({
      ok: true,
      body: { name: 'for [redacted]', teamId: '[redacted]' },
    });
  });

  test.each(['"k3ep-me-s3cret":1,"k3ep-me-s3cret":2', '"k3ep-me-s3cret":{"a":1,"a":2}', '"id":"a","id":"b"'])(
    'has no credential in the complaint about a doubled key: %s',
    (members) => {
      const found = read(`{${members}}`);
      expect(found).toMatchObject({ ok: false, problem: { code: 'repeated-key' } });
      expect(JSON.stringify(found)).not.toContain('k3ep');
    },
  );

  test('repeats what was sent, whatever the password is', () => {
    const named = { ...classifier, name: 'k3ep-me-s3cret' };
    expect(read(JSON.stringify(named), { name: 'k3ep-me-s3cret' })).toEqual({ ok: true, body: named });
  });
});

test.each(['p', '-id', 'id', 'name', 'updatedAt', 'classifierOptions', 'cafe2024', 'xc1x'])(
  'a password %s that is a part of names and IDs loses nothing',
  (password) => {
    const answer = {
      ...classifier,
      id: 'xc1x',
      classifierOptions: [{ ...option, id: 'p-id-name-cafe2024' }],
    };
    const weak = createRedact({ username: 'designer', password });
    const read = readAnswer('createClassifier', Buffer.from(JSON.stringify(answer)), weak);
    const ids = { id: 'xc1x', classifierOptions: [{ id: 'p-id-name-cafe2024' }] };
    expect(read).toMatchObject({ ok: true, body: ids });
  },
);

test('a password that is the ID of the team, or of the record that was asked for, loses nothing', () => {
  const answer = { ...classifier, id: 'record-of-2024', teamId: 'team-of-2024' };
  for (const password of ['record-of-2024', 'team-of-2024']) {
    const bytes = Buffer.from(JSON.stringify(answer));
    const weak = createRedact({ username: 'designer', password });
    expect(readAnswer('updateClassifier', bytes, weak, [['team-of-2024'], ['record-of-2024']])).toEqual({
      ok: true,
      body: answer,
    });
  }
});

test.each([
  ['as an ID', 'Sommer2024', { id: 'Sommer2024' }],
  ['as an ID', 'k3ep-me!', { id: 'k3ep-me!' }],
  ['as a number', '48151623', { classifierOptions: [{ ...option, dropRateMultiplier: 48151623 }] }],
])('a password is not believed %s (%s), unless it was sent', (_, password, fields) => {
  const hide = createRedact({ username: 'designer', password });
  const bytes = Buffer.from(JSON.stringify({ ...classifier, ...fields }));
  expect(readAnswer('createClassifier', bytes, hide)).toMatchObject({ ok: false });
  expect(readAnswer('createClassifier', bytes, hide, fields)).toMatchObject({ ok: true });
});

describe('no answer', () => {
  const text = JSON.stringify(classifier);

  test.each([
    ['an id with a credential in it', text.replace('c1', 'k3ep-me-s3cret'), ['[redacted]', 'o1', 'c1']],
    ['an option id with a credential in it', text.replace('o1', 'for k3ep-me-s3cret'), ['c1']],
    ['`id` twice', text.replace('{', '{"id":"c2",'), ['c2', 'c1']],
    ['`id` twice, once spelt otherwise', text.replace('{', '{"\\u0069d":17,'), ['17', 'c1']],
    ['another field twice', text.replace('{', '{"name":"Other",'), ['c1']],
    ['a field of an option twice', text.replace('"id":"o1"', '"id":"o1","id":"o2"'), ['c1']],
    ['an id that is a path', text.replace('"c1"', '".."'), ['..']],
    ['5 MiB', text.replace('Rarity', 'x'.repeat(5 * 2 ** 20)), ['c1']],
  ])('%s', (_, body, ids) => {
    expect(read(body)).toMatchObject({ ok: false });
    expect(idsOf(body).slice(0, ids.length)).toEqual(ids);
  });
});

describe('the IDs that an odd answer names', () => {
  const { id, ...rest } = classifier;
  const text = JSON.stringify(classifier);
  const many = Array.from({ length: 500 }, (_, index) => ({ ...option, id: `o${index}` }));

  test.each<[string, string | Buffer]>([
    ['in an envelope with more', JSON.stringify({ message: 'created', data: classifier, ok: true })],
    ['two levels further in', JSON.stringify({ data: { classifier }, requestId: 'r' })],
    ['under another name', JSON.stringify({ ...rest, _id: id })],
    ['as an object', JSON.stringify({ ...rest, id: { $oid: 'c1' } })],
    ['behind many options', JSON.stringify({ ...rest, classifierOptions: many, id })],
    ['behind a long text', `{"name":"${'x'.repeat(100_000)}","id":"c1",}`],
    ['before a comma too many', text.replace(/}$/, ',}')],
    ['as a call of a function', `done(${text})`],
    ['with a byte that is no UTF-8', Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.from([0xff])])],
    ['in UTF-16', Buffer.from(text, 'utf16le')],
    ['cut short behind it', '{"name":"Rarity","id":"c1","team'],
    ['with an escape', '{"id":"c\\u0031","na'],
    ['below many brackets', `{"x":${'['.repeat(99)}${']'.repeat(99)},"id":"c1"}`],
    ['only in its options', JSON.stringify({ ...rest, id: null })],
  ])('%s', (_, body) => {
    expect(idsOf(body)).toContain('c1');
  });

  test.each([
    ['half an ID', '{"id":"c1'],
    ['half a number', '{"id":17'],
    ['what is known or something else', '{"teamId":"t","valid":"yes","paid":1}'],
  ])('not %s', (_, body) => {
    expect(idsOf(body)).toEqual([]);
  });

  test('have no password in them', () => {
    const hide = createRedact({ username: 'designer', password: 'Sommer24' });
    const body = { sessionId: 'Sommer24', traceId: 'designer-Sommer24', requestId: 'r1' };
    const { ids } = idsIn(Buffer.from(JSON.stringify(body)), hide);
    expect(ids).toEqual(['[redacted]', 'designer-[redacted]', 'r1']);
  });

  test('in escapes are looked for where an ID stands, not in all that comes', () => {
    const rest = '\\u0041'.repeat(2_000_000);
    const replaced = vi.spyOn(String, 'fromCharCode');
    expect(idsOf(`{"id":"c\\u0031","x":"${rest}"}`)).toEqual(['c1']);
    expect(replaced.mock.calls.length).toBeLessThan(200_000);
  });

  test('are few and short, whatever comes', () => {
    const bomb = Array.from({ length: 100_000 }, (_, index) => `"id":"${index}${'x'.repeat(50)}"`).join(',');
    expect(idsOf(`{${bomb}}`)).toHaveLength(10);
    expect(idsOf(`{"id":"x","id":"${'x'.repeat(9_000_000)}"}`)[1]).toHaveLength(500);
  });
});
