import { describe, expect, test, vi } from 'vitest';
import { lineOf, wordsOf } from '../../src/api/traces.ts';
import { authorizationOf, createRedact } from '../../src/contract/redact.ts';
import fc from '../rig/property.ts';

const credentials = { username: 'designer', password: 'p"&ä s<3' };
const redact = createRedact(credentials);
const words = (body: string | Buffer) => wordsOf(Buffer.from(body), redact);

describe('the message', () => {
  test.each([
    [
      'comes from a nested error',
      '{"error":{"status":404,"code":"not_found","message":"There is none."}}',
      'There is none.',
    ],
    [
      'includes details about fields',
      '{"error":{"message":"Not valid.","details":[{"field":"name","message":"is too long"},{"field":"id","message":"is odd"}]}}',
      'Not valid. (name is too long; id is odd)',
    ],
    ['may be a string', '{"error":"No."}', 'No.'],
    ['may be a list', '{"errors":["a","b"]}', 'a; b'],
    [
      'comes from the detail of a problem document',
      '{"type":"x","title":"Bad","detail":"Worse","status":400}',
      'Worse',
    ],
    ['may be the whole JSON', '"No."', 'No.'],
    ['is the JSON text if that contains no message', '{"status":400}', '{"status":400}'],
    ['is plain text, joined into one line', 'one\r\n  two\tthree\n', 'one two three'],
    ['is empty if the body is empty', '', ''],
    [
      'is the text of an HTML page',
      '<!doctype html><html><head><title>T</title></head><body><h1>502</h1><script>x()</script><p>Bad <b>Gateway</b></body></html>',
      '502 Bad Gateway',
    ],
    ['is empty for an unfinished HTML page', '<html><head><style>a{}', ''],
  ])('%s', (_, body, expected) => {
    expect(words(body)).toBe(expected);
  });

  test('has at most 500 characters', () => {
    expect([...words('😀'.repeat(2000))]).toHaveLength(500);
    expect(words('x'.repeat(500))).toBe('x'.repeat(500));
    expect(words('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  });

  test('comes from a huge body that is not parsed', () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(words(`{"message":"No.","x":"${'x'.repeat(2 ** 20)}"}`)).toContain('{"message":"No."');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test('is found quickly in a hostile page', () => {
    expect(words(`<html>${'<script '.repeat(2_000_000)}`)).toBe('');
    expect(words(`<html>${'<'.repeat(16_000_000)}`).length).toBe(500);
  });
});

describe('a secret', () => {
  const { password } = credentials;
  const basic = Buffer.from(`designer:${password}`).toString('base64');

  test.each([
    ['plain text', `wrong: ${password}`],
    ['a header', `got ${authorizationOf(credentials)}`],
    ['base64 without padding', basic.replace(/=+$/, '')],
    ['a JSON message', JSON.stringify({ message: `no ${password}` })],
    ['JSON without a message', JSON.stringify({ odd: { password } })],
    ['a URL', `/login?p=${encodeURIComponent(password)}`],
    ['a form', new URLSearchParams([['p', password]]).toString()],
    ['an HTML page', '<html><body>p&quot;&amp;ä s&lt;3</body></html>'],
    ['JSON with escapes', '{"odd":"p\\"\\u0026\\u00e4 s<3"}'],
    ['text that looks like JSON', 'p\\u0022\\u0026\\u00E4\\u0020s\\u003c3'],
    ['JSON in JSON', JSON.stringify({ odd: JSON.stringify({ odd: password }) })],
    ['an HTML page with numeric entities', '<p>p&#34;&#038;&#xe4; s&#x3C;3</p>'],
    ['an HTML page inside another', '<p>p&amp;quot;&amp;amp;&amp;#228; s&amp;lt;3</p>'],
    ['text that is percent-encoded twice', 'p%2522%2526%25c3%25a4%2520s%253c3'],
    ['percent-encoded Latin-1', 'p%22%26%E4+s%3C3'],
    ['Latin-1', Buffer.from(`wrong: ${password}`, 'latin1')],
    ['a body that is misread as Latin-1', Buffer.from(password).toString('latin1')],
    ['base64url', `token ${Buffer.from(`designer:${password}`).toString('base64url')}`],
    [
      'base64 of a longer text',
      Buffer.from(`Authorization: Basic designer:${password}, more`).toString('base64'),
    ],
    ['hexadecimal digits', Buffer.from(password).toString('hex').toUpperCase()],
    ['decomposed letters', password.normalize('NFD')],
    ['a text that is cut inside it', `${'x'.repeat(480)}${password}${password}`],
    ['a text whose reading ends inside it', `${' '.repeat(64 * 1024 - 3)}${password}`],
  ])('is redacted in %s', (_, body) => {
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

  const long = {
    username: 'bob',
    password: 'Tr0ub4dor-pässwort/9&longer-than-57-characters-so-that-lines-wrap',
  };
  const wide = Buffer.from(`bob:${long.password}`).toString('base64');
  const bytes = Buffer.from(long.password);

  test.each<[string, string | Buffer, string]>([
    ['lines of base64', wide.replace(/(.{76})/g, '$1\r\n'), wide.slice(0, 40)],
    ['UTF-16', Buffer.from(`no ${long.password}`, 'utf16le'), 'T\0r\0'],
    ['a list of bytes', JSON.stringify({ odd: bytes }), '114,48'],
    ['a list of hexadecimal bytes', `<Buffer ${bytes.toString('hex').replace(/../g, '$& ')}>`, '72 30'],
    ['a Python bytes literal', `b'${long.password.replace('ä', '\\xc3\\xa4')}'`, 'Tr0ub4'],
    ['octal escapes', `"${long.password.replace('ä', '\\303\\244')}"`, 'Tr0ub4'],
    [
      'quoted-printable mail',
      long.password.replace('ä', '=C3=A4').replace('longer', 'lon=\r\nger'),
      'Tr0ub4',
    ],
    ['text from the JavaScript function escape', escape(long.password), 'Tr0ub4'],
    [
      'named entities of letters',
      `<p>${long.password.replace('ä', '&auml;').replace('&l', '&amp;l')}</p>`,
      'Tr0ub4',
    ],
    ['named entities of signs', long.password.replace('/', '&sol;').replaceAll('-', '&hyphen;'), 'Tr0ub4'],
    ['code points among letters', long.password.replace('T', 'U+0054').replace('r', '\\x{72}'), '0ub4dor'],
    [
      'code points alone',
      long.password.replace(/[ -~]/g, (each) => `U+00${each.charCodeAt(0).toString(16)}`),
      '54U',
    ],
    ['capital letters', long.password.toUpperCase(), 'TR0UB4'],
    ['the slug of a link', long.password.replaceAll(/\W+/g, '_'), 'Tr0ub4'],
    ['letters that are separated by signs', long.password.replaceAll(/(?=.)/g, '-'), '-r-0-u'],
    ['hexadecimal bytes with capital digits', bytes.toString('hex').replace(/../g, '0X$& '), '0X54'],
    ['full-width letters', long.password.replace(/[!-~]/g, (each) => fullWidth(each)), 'Ｔｒ０'],
    ['a text between tags', `<p>${long.password.replace(/(.{12})/g, '$1<wbr>')}</p>`, 'Tr0ub4'],
    ['several lines', long.password.replace(/(.{20})/g, '$1\n'), 'Tr0ub4'],
    ['base64 of the header', Buffer.from(`Basic ${wide}`).toString('base64'), 'QmFzaWMg'],
    ['the header in hexadecimal', Buffer.from(`Basic ${wide}`).toString('hex'), '426173'],
    ['the header as bytes', JSON.stringify([...Buffer.from(`Basic ${wide}`)]), '66,97'],
    ['UTF-16 in hexadecimal', Buffer.from(long.password, 'utf16le').toString('hex'), '5400'],
    ['a header that is cut off', `Basic ${wide.slice(0, 20)}`, wide.slice(0, 20)],
    ['the end of the header', wide.slice(-18), wide.slice(-18)],
    ['half of its text', `no ${long.password.slice(0, 14)}`, 'Tr0ub4'],
    ['percent-encoded base64', Buffer.from(wide).toString('hex').replace(/../g, '%$&'), '%59%6d'],
    ['many layers of percent-encoding', `%${'25'.repeat(9)}54${long.password.slice(1)}`, 'r0ub4'],
  ])('is redacted in %s', (_, body, part) => {
    const said = wordsOf(Buffer.from(body), createRedact(long));
    expect(said).toContain('[redacted');
    expect(said).not.toContain(part);
  });

  const misread = (text: string) => Buffer.from(text).toString('latin1');
  const signs: readonly (readonly [string, (sign: string, hex: string) => string])[] = [
    ['a directory', (_, hex) => `\\${hex}`],
    ['an XML name', (_, hex) => `_x00${hex.toUpperCase()}_`],
    ['a style sheet', (_, hex) => `\\${hex} `],
    ['a style sheet, six digits', (_, hex) => `\\0000${hex.toUpperCase()}`],
    ['UTF-7', (sign) => `+${Buffer.from(`\0${sign}`).toString('base64').replace(/=+$/, '')}-`],
    ['octal, two digits', (sign) => `\\${sign.charCodeAt(0).toString(8)}`],
    ['a colored terminal', (sign) => `\x1b[33m${sign}\x1b[0m`],
  ];
  test.each<[string, string, (password: string) => string]>([
    ['UTF-8 read as Latin-1', 'Секретно', misread],
    ['UTF-8 read as Windows-1252', 'Spaß-1', () => 'SpaÃŸ-1'],
    [
      'quotes that are escaped three times',
      'a"b"c',
      (password) => JSON.stringify(JSON.stringify(JSON.stringify(password))),
    ],
    ['UTF-8 read as Latin-1 twice', 'ünïcödé', (password) => misread(misread(password))],
    [
      'percent-encoded UTF-8 read as Latin-1',
      'Пароль123',
      (password) => encodeURIComponent(misread(password)),
    ],
    ['entities of letters', 'ünïcödé', () => '&uuml;n&iuml;c&ouml;d&eacute;'],
    ['entities of letters and signs', 'Käse§12€', () => 'K&auml;se&sect;12&euro;'],
    ['escaped entities', '§§Geld€1', () => '&amp;sect;&amp;sect;Geld&amp;euro;1'],
    ['entities of Greek letters', 'Κωδικός123', () => '&Kappa;&omega;&delta;&iota;&kappa;&#972;&sigmaf;123'],
    ['text cut to 15 bytes', 'Пароль12345', (password) => `${password.slice(0, 9)}...`],
    ['short text cut to 15 bytes', 'Секретно1', (password) => `${password.slice(0, 7)}…`],
    ['percent-encoded Latin-1', 'ünïcödé', escape],
    ['capital letters of another alphabet', 'Секретно', (password) => password.toUpperCase()],
    ['an escaped tag of its own', 'ab<cd>ef', () => 'ab&#60;cd&#62;ef'],
    ['numeric entities for an escape of its own', 'p%41q%42r', () => 'p&#37;41q&#37;42r'],
    ['doubled quotes', "aB3$'xY!9", (password) => password.replaceAll("'", "''")],
    ['shell quotes', "aB3$'xY!9", (password) => password.replaceAll("'", String.raw`'\''`)],
    ['an escaped escape of its own', 'p%40ss+word', () => 'p%2540ss%2bword'],
    ['an XML attribute', 'pässwörd', () => '<error password="p&#228;ssw&#246;rd"/>'],
    ['an XML attribute with quotes', 'say "hello"', () => '<error detail="say &#34;hello&#34;"/>'],
    ['a link', 'p@ss/w0rd+x', () => '<a href="/login?p=p%40ss%2fw0rd%2bx">'],
    ['UTF-16 with escaped signs', 'rock&roll<4>', () => [...'rock&amp;roll&lt;4&gt;'].join('\0')],
    [
      'base64 of JSON',
      'a"b\\c"d\\e"f',
      (password) => Buffer.from(JSON.stringify(password)).toString('base64'),
    ],
    ...['correct-horse-battery', 'sword-2024-bead-18', 'hunter 2:Blue/Sky!'].flatMap((password) =>
      signs.map(([name, spell]): [string, string, (password: string) => string] => [
        `signs escaped as in ${name}`,
        password,
        () => password.replace(/[^a-z0-9]/gi, (sign) => spell(sign, sign.charCodeAt(0).toString(16))),
      ]),
    ),
    ['letters escaped as in a directory', 'pässwörd', () => String.raw`p\c3\a4ssw\c3\b6rd`],
    ['an escape of its own beside another kind', 'P@ss+w0rd%2F', () => String.raw`P@ss\u002Bw0rd%2F`],
  ])('is redacted in %s (%s)', (_, password, spell) => {
    const said = wordsOf(Buffer.from(`no ${spell(password)} here`), createRedact({ ...long, password }));
    expect(said).toMatch(/^(no )?\[redacted/);
  });

  test.each(['"test"', '<b>word', '&x1;sword'])('such as %s leaves its words alone elsewhere', (password) => {
    const said = 'A test of a word or a sword failed.';
    expect(wordsOf(Buffer.from(said), createRedact({ ...long, password }))).toBe(said);
  });

  test.each(['p', 'the', 'no such', 'nosuch', 'is-no'])('such as %s leaves other words alone', (password) => {
    const said = wordsOf(
      Buffer.from('{"message":"There i5 no sch item, 0x6e6f."}'),
      createRedact({ ...long, password }),
    );
    expect(said).toBe('{"message":"There i5 no sch item, 0x6e6f."}'.slice(12, -2));
  });

  test.each(['=', '%25', '&amp;', '&#0', '\\', '%41', '<', '\\303', '\\2d', '+AC0-'])(
    'is redacted before a very long row of %s',
    (part) => {
      const row = `${Buffer.from(long.password).toString('base64')}${part.repeat(2_000_000)}`;
      expect(wordsOf(Buffer.from(JSON.stringify({ message: row })), createRedact(long))).toContain(
        '[redacted',
      );
      expect(createRedact(long)(row.slice(0, 4_000_000))).toContain('[redacted');
    },
  );

  test('is redacted even if it is very long', () => {
    const password = 'é"'.repeat(8000);
    expect(createRedact({ username: 'u', password })(`a ${password} b`)).toBe('a [redacted] b');
  });

  test('never remains in an echo, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: 'binary' }), fc.string(), (secret, around) => {
        const hide = createRedact({ username: 'u', password: secret });
        fc.pre(!'[redacted]'.includes(secret) && !`${around}[redacted]${around}`.includes(secret));
        expect(hide(`${around}${secret}${around}`)).not.toContain(secret);
      }),
    );
  });

  test('is redacted among long rows of its own blanks and backslashes', () => {
    const odd = `${' '.repeat(40)}x${'\\'.repeat(40)}`;
    const hide = createRedact({ username: 'u', password: odd });
    expect(hide(`${' '.repeat(20_000)}${'\\'.repeat(20_000)}`)).toHaveLength(40_000);
    expect(hide(`a${odd}b`)).toBe('a[redacted]b');
  });

  test('is redacted in a Location header, which becomes one line', () => {
    expect(lineOf(`http://designer:${password}@x/\n`, redact)).toBe('http://designer:[redacted]@x/');
  });

  test('redacts nothing if it is empty', () => {
    expect(createRedact({ username: 'u', password: '' })('a b')).toBe('a b');
  });
});

function fullWidth(character: string): string {
  return String.fromCodePoint(character.charCodeAt(0) + 0xfee0);
}
