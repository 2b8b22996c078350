import type { Address } from './model.ts';

/** What an address means: a resource, or an option of a classifier. */
export interface Subject {
  readonly resource: Address;
  readonly option?: string;
}

const KEY = '[a-z0-9]+(?:[-_][a-z0-9]+)*';
const WHOLE_KEY = new RegExp(`^${KEY}$`);
const ADDRESS = new RegExp(`^(?:(item\\.${KEY})|(classifier\\.${KEY})(?:\\.(${KEY}))?)$`);

/** Whether a text could be the key of a resource or an option. */
export function isKey(text: string): boolean {
  return WHOLE_KEY.test(text);
}

/** Undefined for a text that is no address. */
export function parseAddress(address: string): Subject | undefined {
  const [, item, classifier, option] = ADDRESS.exec(address) ?? [];
  const resource = (item ?? classifier) as Address | undefined;
  if (resource === undefined) return undefined;
  return option === undefined ? { resource } : { resource, option };
}
