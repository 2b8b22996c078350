import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../src/api/answer.ts';
import { createRedact } from '../../src/api/redact.ts';

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
const read = (text: string, sent?: object) => readAnswer('createClassifier', Buffer.from(text), redact, sent);

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

  test('repeats what was sent, whatever the password is', () => {
    const named = { ...classifier, name: 'k3ep-me-s3cret' };
    expect(read(JSON.stringify(named), { name: 'k3ep-me-s3cret' })).toEqual({ ok: true, body: named });
  });
});

test.each(['p', '-id', 'id', 'name', 'updatedAt', 'classifierOptions'])(
  'a password %s that is a part of names and IDs loses nothing',
  (password) => {
    const answer = { ...classifier, id: 'xc1x', classifierOptions: [{ ...option, id: 'p-id-name' }] };
    const weak = createRedact({ username: 'designer', password });
    const read = readAnswer('createClassifier', Buffer.from(JSON.stringify(answer)), weak);
    expect(read).toMatchObject({ ok: true, body: { id: 'xc1x', classifierOptions: [{ id: 'p-id-name' }] } });
  },
);

describe('no answer', () => {
  const text = JSON.stringify(classifier);

  test.each([
    ['an id with a credential in it', text.replace('c1', 'k3ep-me-s3cret'), ['[redacted]']],
    ['an option id with a credential in it', text.replace('o1', 'for k3ep-me-s3cret'), ['c1']],
    ['`id` twice', text.replace('{', '{"id":"c2",'), ['c2', 'c1']],
    ['`id` twice, once spelt otherwise', text.replace('{', '{"\\u0069d":17,'), ['17', 'c1']],
    ['another field twice', text.replace('{', '{"name":"Other",'), ['c1']],
    ['a field of an option twice', text.replace('"id":"o1"', '"id":"o1","id":"o2"'), ['c1']],
    ['an id that is a path', text.replace('"c1"', '".."'), ['..']],
  ])('%s', (_, body, ids) => {
    expect(read(body)).toMatchObject({ ok: false, ids });
  });
});
