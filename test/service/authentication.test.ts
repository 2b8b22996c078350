import * as crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { basic, designer, testService, world } from '../rig/embedded-service.ts';
import { client } from './client.ts';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, scrypt: vi.fn(real.scrypt) };
});

test('wrong credentials get 401 before any other check, and write nothing', async () => {
  const service = await client();
  const wrong = {
    'a wrong password': basic('designer', 'correct horse '),
    'an unknown user': basic('nobody', 'correct horse'),
    'another user of the same password': basic('rival', 'correct horse'),
    'an empty password': basic('designer', ''),
    'no colon': `Basic ${Buffer.from('designer').toString('base64')}`,
    'no base64': 'Basic designer:correct horse',
    'another scheme': designer.replace('Basic', 'Bearer'),
    'two spaces': designer.replace(' ', '  '),
    'an empty header': '',
    'a username with U+0000': basic('designer\0x', 'correct horse'),
    'a password with U+0000': basic('designer', 'correct horse\0'),
  };
  for (const [what, header] of Object.entries(wrong)) {
    const answer = await service.ask('POST', '/classifiers', { name: 'R', classifierOptions: [] }, header);
    expect([answer.status, answer.headers.get('www-authenticate')], what).toEqual([
      401,
      'Basic realm="items"',
    ]);
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['DELETE', '/items'],
      ['POST', '/items'],
    ] as const)
      expect(await service.status(method, path, method === 'POST' ? 'not json' : undefined, header)).toBe(
        401,
      );
    // The right password stays right after a wrong one, and the other way round.
    expect(await service.status('GET', '/users/user_1/spaces')).toBe(200);
  }
  expect(service.service.ledger()).toEqual([]);
});

test('a request without the Authorization header gets the scheme it needs', async () => {
  const response = await fetch(`${(await testService()).url}/users/user_1/spaces`);
  const message = expect.stringContaining('Authorization: Basic');
  expect([response.status, await response.json()]).toMatchObject([401, { error: { message } }]);
});

test('a password may contain colons or characters beyond ASCII, or be empty', async () => {
  const { status } = await client();
  expect(await status('GET', '/users/user_2/spaces', undefined, basic('rival', 'pass:with:colons é'))).toBe(
    200,
  );
  expect(await status('GET', '/users/user_3/spaces', undefined, basic('newcomer', ''))).toBe(200);
});

test('an unknown user and a wrong password get the same response for the same work', async () => {
  const service = await testService();
  const attempt = async (username: string, password: string) => {
    vi.mocked(crypto.scrypt).mockClear();
    const headers = { authorization: basic(username, password) };
    const response = await fetch(`${service.url}/items`, { method: 'POST', headers, body: '{}' });
    // Everything that a caller can see of a response, except its time.
    const seen = [...response.headers].filter(([name]) => name !== 'date');
    const answer = { status: response.status, headers: seen, body: await response.text() };
    return {
      answer,
      work: vi.mocked(crypto.scrypt).mock.calls.map(([, , length, cost]) => ({ length, cost })),
    };
  };
  const wrongPassword = await attempt('designer', 'wrong');
  expect(wrongPassword).toMatchObject({ answer: { status: 401 }, work: [{}] });
  expect(await attempt('nobody', 'wrong')).toEqual(wrongPassword);
  expect(await attempt('', '')).toEqual(wrongPassword);
  expect(await attempt('designer', 'w'.repeat(5000))).toEqual(wrongPassword);
  // And again: no wrong guess is remembered, of neither.
  expect(await attempt('designer', 'wrong')).toEqual(wrongPassword);
  expect(await attempt('nobody', 'wrong')).toEqual(wrongPassword);
});

const user = { id: 'u', username: 'a', password: 'p', teamId: 'team_7' };
const space = { id: 's', name: 'S', cols: 1, rows: 1, teamId: 'team_8', users: ['user_1'] };

test.each([
  ['a colon in a username', { users: [{ ...user, username: 'a:b' }] }, 'users[0].username'],
  ['an unknown team', { users: [{ ...user, teamId: 'team_9' }] }, 'users[0].teamId'],
  [
    'a repeated username',
    { users: [...(world.users ?? []), { ...user, username: 'rival' }] },
    'users[3].username',
  ],
  ['a space of another team', { spaces: [space] }, 'spaces[0].users'],
])('the service refuses a world with %s', async (_, part, place) => {
  await expect(testService({ world: { ...world, ...part } })).rejects.toThrow(place);
});
