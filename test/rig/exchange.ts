import { readFileSync } from 'node:fs';

/**
 * Reads one literal exchange: an HTTP/1.1 request, a line `###`, and its response. Each has a start line,
 * header lines, an empty line and the body on one line (or none). In a body, the JSON string `"{{name}}"`
 * stands for any string that the service makes up (an id, a timestamp); equal names stand for equal strings.
 */
export function readExchange(path: string | URL): Exchange {
  const [request, response, ...rest] = readFileSync(path, 'utf8').split('\n###\n');
  if (request === undefined || response === undefined || rest.length > 0) {
    throw new Error(`${path}: expected one request, one line ### and one response`);
  }
  return { request: readRequest(request), response: readResponse(response) };
}

function readRequest(text: string): Exchange['request'] {
  const { start, headers, body } = readMessage(text);
  const [method, path, version] = start.split(' ');
  if (!method || !path || version !== 'HTTP/1.1') throw new Error(`not a request line: ${start}`);
  const length = String(Buffer.byteLength(body));
  if (body !== '' && headers['content-length'] !== length) {
    throw new Error(
      `${start}: the body has ${length} bytes, Content-Length says ${headers['content-length']}`,
    );
  }
  return {
    method,
    path,
    headers,
    body,
    bytes: text.replace(`\n\n${body}`, '').concat('\n\n').replaceAll('\n', '\r\n') + body,
  };
}

function readResponse(text: string): Exchange['response'] {
  const { start, headers, body } = readMessage(text);
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1];
  if (!status) throw new Error(`not a status line: ${start}`);
  return { status: Number(status), headers, body };
}

function readMessage(text: string): { start: string; headers: Record<string, string>; body: string } {
  const [head = '', ...parts] = text.split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const headers = lines.filter(Boolean).map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`not a header line: ${line}`);
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { start, headers: Object.fromEntries(headers), body: parts.join('\n\n').trim() };
}

/**
 * Where `actual` differs from the expected JSON value (as JSON pointers with both values); empty when it
 * does not. Fields that were not expected differ too.
 */
export function differences(
  expected: unknown,
  actual: unknown,
  bound = new Map<string, string>(),
  at = '',
): string[] {
  const name = typeof expected === 'string' ? /^\{\{(\w+)\}\}$/.exec(expected)?.[1] : undefined;
  if (name !== undefined && typeof actual === 'string') {
    const known = bound.get(name) ?? actual;
    bound.set(name, known);
    return known === actual ? [] : [`${at}: {{${name}}} was ${known}, then ${actual}`];
  }
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return Object.is(expected, actual) ? [] : [`${at}: expected ${show(expected)}, got ${show(actual)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => differences(expected[key], actual[key], bound, `${at}/${key}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

/** Header names are in lower case. Bodies are the literal text, '' for none. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    /** With the prefix /api. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** The whole request as it goes over the wire, with CRLF line ends. */
    readonly bytes: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}
