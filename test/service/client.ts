import type { WireClassifier, WireItem } from '../../src/contract/api.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import type { RunningService, ServiceOptions } from '../../src/service/server.ts';
import { designer, expectDocumented, problems, testService, world } from '../rig/embedded-service.ts';

export const plain = { name: 'Iron Sword', rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };
export const update = { name: 'Iron Sword', rollNumerator: 40, attributes: [] };

/** What came back: `text` is the literal body, `body` the JSON in it; undefined where it is none. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A service with a dialect, and the operations as a designer of team_7 asks for them, or `as` another caller. */
export interface Client {
  readonly service: RunningService;
  /** Every 2xx answer must be what the OpenAPI document says of its operation. Text is sent as it is. */
  ask(method: string, path: string, body?: unknown, as?: string, headers?: object): Promise<Heard>;
  status(method: string, path: string, body?: unknown, as?: string): Promise<number>;
  /** The status, and what the JSON error says of each field. */
  refusal(method: string, path: string, body?: unknown): Promise<[number, Record<string, string>]>;
  createItem(fields?: object): Promise<WireItem>;
  updateItem(id: string, fields?: object): Promise<WireItem>;
  createClassifier(name: string, ...options: string[]): Promise<WireClassifier>;
  updateClassifier(id: string, fields: object): Promise<WireClassifier>;
}

export async function client(
  dialect: Partial<Dialect> = {},
  options: Partial<ServiceOptions> = {},
): Promise<Client> {
  const clock = () => Date.UTC(2026, 8, 1, 12);
  // Without spaces, whose links have ids as well: id_0 is the first that an operation makes.
  const service = await testService({ dialect, clock, world: { ...world, spaces: [] }, ...options });
  const ask: Client['ask'] = async (method, path, body, as = designer, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: as, ...type, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) expectDocumented(path, JSON.parse(text));
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };
  const succeed = async <Body>(method: string, path: string, body: object): Promise<Body> => {
    const heard = await ask(method, path, body);
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body as Body;
  };
  return {
    service,
    ask,
    status: async (...request) => (await ask(...request)).status,
    async refusal(...request) {
      const heard = await ask(...request);
      return [heard.status, problems(heard)];
    },
    createItem: (fields) => succeed('POST', '/items', { ...plain, ...fields }),
    updateItem: (id, fields) => succeed('PUT', `/items/${encodeURIComponent(id)}`, { ...update, ...fields }),
    createClassifier: (name, ...options) => succeed('POST', '/classifiers', rarity(name, ...options)),
    updateClassifier: (id, fields) => succeed('PUT', `/classifiers/${encodeURIComponent(id)}`, fields),
  };
}

/** A create body with the multipliers 0, 1, 2 and so on. */
export function rarity(name: string, ...options: string[]) {
  return { name, classifierOptions: options.map((each, index) => option(each, index)) };
}

export const option = (name: string, dropRateMultiplier: number) => ({ name, dropRateMultiplier });
export const range = (attributeId: string, min: number, max: number) => ({ attributeId, min, max });

export function optionIds({ classifiers }: WireItem): string[] {
  return classifiers.map(({ classifierOption }) => classifierOption.id);
}

export function ranges({ attributes }: WireItem): string[] {
  return attributes.map(({ attributeId, min, max }) => `${attributeId} ${min} ${max}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
