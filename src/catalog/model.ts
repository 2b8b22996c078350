import type {
  Attribute as AttributeDeclaration,
  Classifier as ClassifierDeclaration,
  Item as ItemDeclaration,
  Lifecycle,
  Option as OptionDeclaration,
  Range as RangeDeclaration,
} from '../../generated/catalog-types.js';
import type { YamlDocument } from '../text/yaml.ts';

/** The two kinds of resource that a catalog declares. */
export type Kind = 'classifier' | 'item';

/** `classifier.rarity`, `item.iron-sword`. */
export type Address = `${Kind}.${string}`;

/** `${kind}.${key}` of a resource. */
export function addressOf(kind: Kind, key: string): Address {
  return `${kind}.${key}`;
}

export function kindOf(address: Address): Kind {
  return address.startsWith('item.') ? 'item' : 'classifier';
}

/** What follows the kind: `iron-sword`. */
export function keyOf(address: string): string {
  return address.slice(address.indexOf('.') + 1);
}

const KEY = '[a-z0-9]+(?:[-_][a-z0-9]+)*';
const WHOLE_KEY = new RegExp(`^${KEY}$`);
const ADDRESS = new RegExp(`^(?:(item\\.${KEY})|(classifier\\.${KEY})(?:\\.(${KEY}))?)$`);

/** Whether a text could be the key of a resource or an option. */
export function isKey(text: string): boolean {
  return WHOLE_KEY.test(text);
}

/** A resource, or an option of a classifier. */
export interface Subject {
  readonly resource: Address;
  readonly option?: string;
}

/** Undefined for a text that is no address. */
export function parseAddress(address: string): Subject | undefined {
  const [, item, classifier, option] = ADDRESS.exec(address) ?? [];
  const resource = (item ?? classifier) as Address | undefined;
  if (resource === undefined) return undefined;
  return option === undefined ? { resource } : { resource, option };
}

/** Resources with such keys are made by `trove probe` and are in no catalog. */
export const PROBE_KEY = 'trove-probe';

/** Whether a key is kept free of declarations, because Trove records something of its own below it. */
export function isReservedKey(key: string): boolean {
  return key.startsWith(PROBE_KEY);
}

/** Values as written in YAML. The build makes these types from schemas/catalog.schema.json. */
export type {
  AttributeDeclaration,
  ClassifierDeclaration,
  ItemDeclaration,
  Lifecycle,
  OptionDeclaration,
  RangeDeclaration,
};

/** A declaration with its key and its location. In a catalog with problems, what violates the schema is undefined. */
export interface Declared<T> {
  readonly key: string;
  readonly declaration: T;
  readonly document: YamlDocument;
  /** Path of the declaration inside the document: `['items', 'iron-sword']`. */
  readonly path: readonly (string | number)[];
}

/** An entry of `moved`. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  readonly document: YamlDocument;
  readonly path: readonly (string | number)[];
}

/**
 * The valid desired state, which needs no further checks: `loadCatalog` gives it for all environments, `joinInputs` for
 * one. Only `examineCatalog` gives one that is not valid, to look for more problems.
 */
export interface Catalog {
  /** Where it was read, as people see it. */
  readonly folder: string;
  readonly attributes: ReadonlyMap<string, Declared<AttributeDeclaration>>;
  readonly classifiers: ReadonlyMap<string, Declared<ClassifierDeclaration>>;
  readonly items: ReadonlyMap<string, Declared<ItemDeclaration>>;
  readonly moved: readonly Move[];
  /** `sha256:` and the hex digest of every catalog file's path and bytes, in path order. */
  readonly digest: string;
  readonly fileCount: number;
}
