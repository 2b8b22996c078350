import { describe, expect, test, vi } from 'vitest';
import { parseJson, readAnswer } from '../../src/api/answer.ts';
import { idsIn } from '../../src/api/traces.ts';
import { createRedact } from '../../src/contract/redact.ts';

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
  [
    'brackets inside strings do not count as levels',
    JSON.stringify(['['.repeat(100), `\\"${'{'.repeat(100)}`]),
    undefined,
  ],
  ['32 levels are allowed', '['.repeat(32) + ']'.repeat(32), undefined],
  ['33 levels are too deep', '['.repeat(33) + ']'.repeat(33), 'too-deep'],
  ['33 nested objects are too deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'too-deep'],
  ['megabytes of unfinished text are not JSON', `["${'\\\\'.repeat(2_000_000)}"`, 'not-json'],
  ['megabytes of brackets are too large', '['.repeat(16_000_000), 'too-large'],
  ['blanks count as empty', ' ', 'empty'],
  ['half an object is not JSON', '{', 'not-json'],
  ['an invalid byte is not UTF-8', Buffer.from([0x22, 0xc3, 0x22]), 'not-utf8'],
])('in JSON from another machine, %s', (_, text, problem) => {
  const parsed = parseJson(Buffer.from(text));
  expect(parsed.ok ? undefined : parsed.problem.code).toBe(problem);
  if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(String(text)));
});

describe('a response', () => {
  test('keeps only documented fields, at every level', () => {
    const more = { ...classifier, debug: 'x', classifierOptions: [{ ...option, debug: 'y' }] };
    expect(read(JSON.stringify(more))).toEqual({ ok: true, body: classifier });
    const text = JSON.stringify(classifier).replace('{', '{"__proto__":{"polluted":1},');
    expect(read(text)).toEqual({ ok: true, body: classifier });
  });

  test('contains no credential in any text', () => {
    const echo = { ...classifier, name: 'for k3ep-me-s3cret', teamId: 'k3ep-me-s3cret' };
    expect(read(JSON.stringify(echo))).toMatchObject({
      ok: true,
      body: { name: 'for [redacted]', teamId: '[redacted]' },
    });
  });

  test.each(['"k3ep-me-s3cret":1,"k3ep-me-s3cret":2', '"k3ep-me-s3cret":{"a":1,"a":2}', '"id":"a","id":"b"'])(
    'with a repeated key leaves no credential in the error: %s',
    (members) => {
      const found = read(`{${members}}`);
      expect(found).toMatchObject({ ok: false, problem: { code: 'repeated-key' } });
      expect(JSON.stringify(found)).not.toContain('k3ep');
    },
  );

  test('keeps what was sent, even if that contains the password', () => {
    const named = { ...classifier, name: 'k3ep-me-s3cret' };
    expect(read(JSON.stringify(named), { name: 'k3ep-me-s3cret' })).toEqual({ ok: true, body: named });
  });
});

test.each(['p', '-id', 'id', 'name', 'updatedAt', 'classifierOptions', 'cafe2024', 'xc1x'])(
  'a response loses nothing if the password %s is part of its names and IDs',
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

test('a response loses nothing if the password is the ID of its team or record', () => {
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
])('a response with the password %s (%s) is refused unless that was sent', (_, password, fields) => {
  const hide = createRedact({ username: 'designer', password });
  const bytes = Buffer.from(JSON.stringify({ ...classifier, ...fields }));
  expect(readAnswer('createClassifier', bytes, hide)).toMatchObject({ ok: false });
  expect(readAnswer('createClassifier', bytes, hide, fields)).toMatchObject({ ok: true });
});

describe('a response is refused, but yields its IDs, if it has', () => {
  const text = JSON.stringify(classifier);

  test.each([
    ['a credential in its ID', text.replace('c1', 'k3ep-me-s3cret'), ['[redacted]', 'o1', 'c1']],
    ['a credential in an option ID', text.replace('o1', 'for k3ep-me-s3cret'), ['c1']],
    ['two `id` keys', text.replace('{', '{"id":"c2",'), ['c2', 'c1']],
    ['two `id` keys, one with an escape', text.replace('{', '{"\\u0069d":17,'), ['17', 'c1']],
    ['another key twice', text.replace('{', '{"name":"Other",'), ['c1']],
    ['a key of an option twice', text.replace('"id":"o1"', '"id":"o1","id":"o2"'), ['c1']],
    ['a path as its ID', text.replace('"c1"', '".."'), ['..']],
    ['5 MiB', text.replace('Rarity', 'x'.repeat(5 * 2 ** 20)), ['c1']],
  ])('%s', (_, body, ids) => {
    expect(read(body)).toMatchObject({ ok: false });
    expect(idsOf(body).slice(0, ids.length)).toEqual(ids);
  });
});

describe('the IDs in an unexpected response', () => {
  const { id, ...rest } = classifier;
  const text = JSON.stringify(classifier);
  const many = Array.from({ length: 500 }, (_, index) => ({ ...option, id: `o${index}` }));

  test.each<[string, string | Buffer]>([
    ['in an envelope with other fields', JSON.stringify({ message: 'created', data: classifier, ok: true })],
    ['two levels deeper', JSON.stringify({ data: { classifier }, requestId: 'r' })],
    ['under another name', JSON.stringify({ ...rest, _id: id })],
    ['in an object', JSON.stringify({ ...rest, id: { $oid: 'c1' } })],
    ['after many options', JSON.stringify({ ...rest, classifierOptions: many, id })],
    ['after a long text', `{"name":"${'x'.repeat(100_000)}","id":"c1",}`],
    ['before a trailing comma', text.replace(/}$/, ',}')],
    ['in a function call', `done(${text})`],
    ['before a byte that is not UTF-8', Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.from([0xff])])],
    ['in UTF-16', Buffer.from(text, 'utf16le')],
    ['if the text ends after them', '{"name":"Rarity","id":"c1","team'],
    ['if they contain an escape', '{"id":"c\\u0031","na'],
    ['after many brackets', `{"x":${'['.repeat(99)}${']'.repeat(99)},"id":"c1"}`],
    ['in options alone', JSON.stringify({ ...rest, id: null })],
  ])('are found %s', (_, body) => {
    expect(idsOf(body)).toContain('c1');
  });

  test.each([
    ['half an ID', '{"id":"c1'],
    ['half a number', '{"id":17'],
    ['a team ID or other fields that end in "id"', '{"teamId":"t","valid":"yes","paid":1}'],
  ])('do not include %s', (_, body) => {
    expect(idsOf(body)).toEqual([]);
  });

  test('contain no password', () => {
    const hide = createRedact({ username: 'designer', password: 'Sommer24' });
    const body = { sessionId: 'Sommer24', traceId: 'designer-Sommer24', requestId: 'r1' };
    const { ids } = idsIn(Buffer.from(JSON.stringify(body)), hide);
    expect(ids).toEqual(['[redacted]', 'designer-[redacted]', 'r1']);
  });

  test('are unescaped only in the place of an ID, not everywhere', () => {
    const rest = '\\u0041'.repeat(2_000_000);
    const replaced = vi.spyOn(String, 'fromCharCode');
    expect(idsOf(`{"id":"c\\u0031","x":"${rest}"}`)).toEqual(['c1']);
    expect(replaced.mock.calls.length).toBeLessThan(200_000);
  });

  test('are few and short, however large the response is', () => {
    const bomb = Array.from({ length: 100_000 }, (_, index) => `"id":"${index}${'x'.repeat(50)}"`).join(',');
    expect(idsOf(`{${bomb}}`)).toHaveLength(10);
    expect(idsOf(`{"id":"x","id":"${'x'.repeat(9_000_000)}"}`)[1]).toHaveLength(500);
  });
});
