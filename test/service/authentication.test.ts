import { expect, test } from 'vitest';
import { basic, call, designer, testService, world } from '../rig/embedded-service.ts';

const spaces = ['GET', '/users/user_1/spaces'] as const;
const withHeader = (authorization: string) => ({ authorization });

test.each([
  ['a wrong password', basic('designer', 'correct horse ')],
  ['an unknown user', basic('nobody', 'correct horse')],
  ['another user of the same password', basic('rival', 'correct horse')],
  ['an empty password', basic('designer', '')],
  ['no colon', `Basic ${Buffer.from('designer').toString('base64')}`],
  ['no base64', 'Basic designer:correct horse'],
  ['another scheme', designer.replace('Basic', 'Bearer')],
  ['two spaces', designer.replace(' ', '  ')],
  ['an empty header', ''],
])('%s is answered 401 and writes nothing', async (_, header) => {
  const service = await testService();
  const answer = await call(service, ...spaces, undefined, withHeader(header));
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="items"');
  const body = { name: 'Rarity', classifierOptions: [] };
  expect((await call(service, 'POST', '/classifiers', body, withHeader(header))).status).toBe(401);
  expect((await call(service, 'POST', '/classifiers', body)).body).toMatchObject({ id: 'id_1' });
});

test('a request without the header is told which one it needs', async () => {
  const service = await testService();
  const response = await fetch(`${service.url}/users/user_1/spaces`);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('Authorization: Basic') },
  });
});

test('credentials come before everything else, also at paths that do not exist', async () => {
  const service = await testService();
  const wrong = withHeader(basic('designer', 'wrong'));
  expect((await call(service, 'GET', '/nothing', undefined, wrong)).status).toBe(401);
  expect((await call(service, 'DELETE', '/items', undefined, wrong)).status).toBe(401);
  expect((await call(service, 'POST', '/items', 'not json', wrong)).status).toBe(401);
});

test('a password may hold colons, characters beyond ASCII, or nothing', async () => {
  const service = await testService();
  const asRival = withHeader(basic('rival', 'pass:with:colons é'));
  expect((await call(service, 'GET', '/users/user_2/spaces', undefined, asRival)).status).toBe(200);
  const asNewcomer = withHeader(basic('newcomer', ''));
  expect((await call(service, 'GET', '/users/user_3/spaces', undefined, asNewcomer)).status).toBe(200);
});

test('a wrong password stays wrong after the right one was seen, and the other way round', async () => {
  const service = await testService();
  const wrong = withHeader(basic('designer', 'wrong'));
  const statuses: number[] = [];
  for (const headers of [wrong, {}, wrong, {}]) {
    statuses.push((await call(service, ...spaces, undefined, headers)).status);
  }
  expect(statuses).toEqual([401, 200, 401, 200]);
});

test.each([
  [
    'a colon in a username',
    { users: [{ id: 'u', username: 'a:b', password: 'p', teamId: 'team_7' }] },
    'users[0].username',
  ],
  [
    'an unknown team',
    { users: [{ id: 'u', username: 'a', password: 'p', teamId: 'team_9' }] },
    'users[0].teamId',
  ],
  [
    'a repeated username',
    { users: [...(world.users ?? []), { id: 'u', username: 'rival', password: '', teamId: 'team_7' }] },
    'users: username "rival"',
  ],
  [
    'a space of another team',
    { spaces: [{ id: 's', name: 'S', cols: 1, rows: 1, teamId: 'team_8', users: ['user_1'] }] },
    'spaces[0].users',
  ],
])('a world with %s does not start', async (_, part, place) => {
  await expect(testService({ world: { ...world, ...part } })).rejects.toThrow(place);
});
