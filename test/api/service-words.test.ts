import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorizationOf, createRedact } from '../../src/api/redact.ts';
import { lineOf, wordsOf } from '../../src/api/service-words.ts';

const credentials = { username: 'designer', password: 'p"&ä s<3' };
const redact = createRedact(credentials);
const words = (body: string | Buffer) => wordsOf(Buffer.from(body), redact);

describe('the message', () => {
  test.each([
    [
      'of a nested error',
      '{"error":{"status":404,"code":"not_found","message":"There is none."}}',
      'There is none.',
    ],
    [
      'with details about fields',
      '{"error":{"message":"Not valid.","details":[{"field":"name","message":"is too long"},{"field":"id","message":"is odd"}]}}',
      'Not valid. (name is too long; id is odd)',
    ],
    ['as a string', '{"error":"No."}', 'No.'],
    ['as a list', '{"errors":["a","b"]}', 'a; b'],
    ['of a problem document', '{"type":"x","title":"Bad","detail":"Worse","status":400}', 'Worse'],
    ['that is the whole JSON', '"No."', 'No.'],
    ['nowhere in the JSON', '{"status":400}', '{"status":400}'],
    ['as plain text on lines', 'one\r\n  two\tthree\n', 'one two three'],
    ['nowhere', '', ''],
    [
      'of a page',
      '<!doctype html><html><head><title>T</title></head><body><h1>502</h1><script>x()</script><p>Bad <b>Gateway</b></body></html>',
      '502 Bad Gateway',
    ],
    ['of a page without an end', '<html><head><style>a{}', ''],
  ])('%s', (_, body, expected) => {
    expect(words(body)).toBe(expected);
  });

  test('has at most 500 characters', () => {
    expect([...words('😀'.repeat(2000))]).toHaveLength(500);
    expect(words('x'.repeat(500))).toBe('x'.repeat(500));
    expect(words('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  });

  test('is found quickly in a hostile page', () => {
    expect(words(`<html>${'<script '.repeat(2_000_000)}`)).toBe('');
    expect(words(`<html>${'<'.repeat(16_000_000)}`).length).toBe(500);
  });
});

describe('secrets', () => {
  const { password } = credentials;
  const basic = Buffer.from(`designer:${password}`).toString('base64');

  test.each([
    ['plain', `wrong: ${password}`],
    ['header', `got ${authorizationOf(credentials)}`],
    ['base64 without padding', basic.replace(/=+$/, '')],
    ['JSON message', JSON.stringify({ message: `no ${password}` })],
    ['JSON without message', JSON.stringify({ odd: { password } })],
    ['URL', `/login?p=${encodeURIComponent(password)}`],
    ['form', new URLSearchParams([['p', password]]).toString()],
    ['page', '<html><body>p&quot;&amp;ä s&lt;3</body></html>'],
    ['JSON with an escaped slash', '{"odd":"p\\"\\u0026\\u00e4 s<3"}'],
    ['text that looks like JSON', 'p\\u0022\\u0026\\u00E4\\u0020s\\u003c3'],
    ['JSON in JSON', JSON.stringify({ odd: JSON.stringify({ odd: password }) })],
    ['page with numbers', '<p>p&#34;&#038;&#xe4; s&#x3C;3</p>'],
    ['page in a page', '<p>p&amp;quot;&amp;amp;&amp;#228; s&amp;lt;3</p>'],
    ['percent-encoded twice', 'p%2522%2526%25c3%25a4%2520s%253c3'],
    ['percent-encoded as Latin-1', 'p%22%26%E4+s%3C3'],
    ['Latin-1', Buffer.from(`wrong: ${password}`, 'latin1')],
    ['read as Latin-1', Buffer.from(password).toString('latin1')],
    ['base64url', `token ${Buffer.from(`designer:${password}`).toString('base64url')}`],
    [
      'base64 inside of base64',
      Buffer.from(`Authorization: Basic designer:${password}, more`).toString('base64'),
    ],
    ['hexadecimal', Buffer.from(password).toString('hex').toUpperCase()],
    ['decomposed', password.normalize('NFD')],
    ['where the text is cut', `${'x'.repeat(480)}${password}${password}`],
    ['where reading ends', `${' '.repeat(64 * 1024 - 3)}${password}`],
  ])('%s', (_, body) => {
    const said = words(body);
    expect(said).toMatch(/\[re/);
    const spellings = [
      password,
      basic.slice(0, 12),
      's<3',
      's&lt;3',
      's%3C3',
      's%253c3',
      's&#x3C;3',
      '73203C33',
    ];
    for (const spelling of spellings) expect(said).not.toContain(spelling);
  });

  test('no password stays in an echo, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: 'binary' }), fc.string(), (secret, around) => {
        const hide = createRedact({ username: 'u', password: secret });
        fc.pre(!'[redacted]'.includes(secret) && !`${around}[redacted]${around}`.includes(secret));
        expect(hide(`${around}${secret}${around}`)).not.toContain(secret);
      }),
    );
  });

  test('one of blanks and backslashes takes no time', () => {
    const odd = `${' '.repeat(40)}x${'\\'.repeat(40)}`;
    const hide = createRedact({ username: 'u', password: odd });
    expect(hide(`${' '.repeat(20_000)}${'\\'.repeat(20_000)}`)).toHaveLength(40_000);
    expect(hide(`a${odd}b`)).toBe('a[redacted]b');
  });

  test('a Location header is one line without them', () => {
    expect(lineOf(`http://designer:${password}@x/\n`, redact)).toBe('http://designer:[redacted]@x/');
  });

  test('an empty password hides nothing', () => {
    expect(createRedact({ username: 'u', password: '' })('a b')).toBe('a b');
  });
});
