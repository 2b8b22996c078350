import type { WireClassifier, WireItem } from '../../../src/contract/wire.ts';
import type { Dialect } from '../../../src/service/dialect.ts';
import type { RunningService, ServiceOptions } from '../../../src/service/server.ts';
import { designer, expectDocumented, rival, testService, world } from '../../rig/embedded-service.ts';

/** What came back: `text` is the literal body, `body` the JSON in it; undefined where it is none. */
export interface Heard {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly body: unknown;
}

/** A service with a dialect, and the operations as a designer of team_7 (or a rival of team_8) asks for them. */
export interface DialectClient {
  readonly service: RunningService;
  /** Every 2xx answer must be what the OpenAPI document says of its operation. */
  ask(method: string, path: string, body?: unknown, as?: string): Promise<Heard>;
  createItem(fields?: object): Promise<WireItem>;
  updateItem(id: string, fields?: object): Promise<WireItem>;
  createClassifier(name: string, ...options: string[]): Promise<WireClassifier>;
  updateClassifier(id: string, fields: object): Promise<WireClassifier>;
}

export const plain = { name: 'Iron Sword', rollNumerator: 40, classifierOptionIds: [], itemAttributes: [] };
export const update = { name: 'Iron Sword', rollNumerator: 40, attributes: [] };
export const asRival = rival;

export async function dialectClient(
  dialect: Partial<Dialect>,
  options: Partial<ServiceOptions> = {},
): Promise<DialectClient> {
  const clock = () => Date.UTC(2026, 8, 1, 12);
  // Without spaces, whose links have ids as well: id_0 is the first that an operation makes.
  const service = await testService({ dialect, clock, world: { ...world, spaces: [] }, ...options });
  const ask: DialectClient['ask'] = async (method, path, body, as = designer) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: as, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const heard = { status: response.status, type: response.headers.get('content-type'), text };
    if (response.ok) expectDocumented(path, JSON.parse(text));
    return { ...heard, body: parsed(text) };
  };
  const succeed = async <Body>(method: string, path: string, body: object): Promise<Body> => {
    const heard = await ask(method, path, body);
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body as Body;
  };
  return {
    service,
    ask,
    createItem: (fields) => succeed('POST', '/items', { ...plain, ...fields }),
    updateItem: (id, fields) => succeed('PUT', `/items/${encodeURIComponent(id)}`, { ...update, ...fields }),
    createClassifier: (name, ...options) => succeed('POST', '/classifiers', rarity(name, ...options)),
    updateClassifier: (id, fields) => succeed('PUT', `/classifiers/${encodeURIComponent(id)}`, fields),
  };
}

/** A create body with the multipliers 0, 1, 2 and so on. */
export function rarity(name: string, ...options: string[]): object {
  return {
    name,
    classifierOptions: options.map((option, index) => ({ name: option, dropRateMultiplier: index })),
  };
}

export function optionIds({ classifiers }: WireItem): string[] {
  return classifiers.map(({ classifierOption }) => classifierOption.id);
}

export function ranges({ attributes }: WireItem): string[] {
  return attributes.map(({ attributeId, min, max }) => `${attributeId} ${min} ${max}`);
}

export function range(attributeId: string, min: number, max: number): object {
  return { attributeId, min, max };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
