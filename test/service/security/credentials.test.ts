import * as crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { basic, testService } from '../../rig/embedded-service.ts';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, scrypt: vi.fn(real.scrypt) };
});

/** Everything of an answer that a caller can see, but for the time it was given. */
async function whole(url: string, authorization: string) {
  const response = await fetch(`${url}/items`, { method: 'POST', headers: { authorization }, body: '{}' });
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers, body: await response.text() };
}

test('an unknown user and a wrong password get the same answer for the same work', async () => {
  const service = await testService();
  const attempt = async (username: string, password: string) => {
    vi.mocked(crypto.scrypt).mockClear();
    const answer = await whole(service.url, basic(username, password));
    const work = vi
      .mocked(crypto.scrypt)
      .mock.calls.map(([, , keyLength, options]) => ({ keyLength, options }));
    return { answer, work };
  };
  const wrongPassword = await attempt('designer', 'wrong');
  expect(wrongPassword.answer).toMatchObject({ status: 401 });
  expect(wrongPassword.answer.headers).toContainEqual(['www-authenticate', 'Basic realm="items"']);
  expect(wrongPassword.work).toHaveLength(1);
  expect(await attempt('nobody', 'wrong')).toEqual(wrongPassword);
  expect(await attempt('', '')).toEqual(wrongPassword);
  expect(await attempt('designer', 'w'.repeat(5000))).toEqual(wrongPassword);
  // And again: no wrong guess is remembered, of neither.
  expect(await attempt('designer', 'wrong')).toEqual(wrongPassword);
  expect(await attempt('nobody', 'wrong')).toEqual(wrongPassword);
});

test('a username with U+0000 is nobody, not the one before it', async () => {
  const service = await testService();
  const right = { authorization: basic('designer', 'correct horse') };
  const spaces = (headers: Record<string, string>) =>
    fetch(`${service.url}/users/user_1/spaces`, { headers });
  expect((await spaces(right)).status).toBe(200);
  expect((await spaces({ authorization: basic('designer\0x', 'correct horse') })).status).toBe(401);
  expect((await spaces({ authorization: basic('designer', 'correct horse\0') })).status).toBe(401);
});
