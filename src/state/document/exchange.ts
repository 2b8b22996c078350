import { EnvHttpProxyAgent, request } from 'undici';
import { MAX_WRITTEN_BYTES } from '../../text/read-file.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

const ANSWER_MS = 60_000;

let agent: EnvHttpProxyAgent | undefined;

/**
 * Sends a request once and follows no redirect. Without an answer in a minute, or with one that is cut off, it is what
 * went wrong: the request may have been carried out.
 */
export async function exchange({ method, url, headers, body }: Asked): Promise<Answer | Error> {
  try {
    // A document is a state and its journal. More would not fit into a string. Throws for a proxy that is no URL.
    agent ??= new EnvHttpProxyAgent({ maxResponseSize: 1.5 * MAX_WRITTEN_BYTES });
    const response = await request(url, {
      method: method as 'GET',
      // An older version, of a cache, would be taken for the newest.
      headers: { 'user-agent': 'trove', 'cache-control': 'no-cache', ...headers },
      body: body ?? null,
      dispatcher: agent,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const header = (name: string) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    return { status: response.statusCode, header, text: await response.body.text() };
  } catch (cause) {
    const first = cause instanceof AggregateError ? (cause.errors as Error[])[0] : undefined;
    return first ?? (cause as Error);
  }
}

/** What an answer says that is no success: its status, and the first line of what people can read in it. */
export function saidIn({ status, text }: Answer): string {
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? text;
  const [line = ''] = message.trim().split('\n');
  return `status ${status}${line && !line.startsWith('<') ? `: ${line.slice(0, 200)}` : ''}`;
}
