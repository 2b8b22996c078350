import {
  type Address,
  addressOf,
  type Catalog,
  type ClassifierDeclaration,
  type Declared,
  type ItemDeclaration,
  type Kind,
  keyOf,
  kindOf,
} from '../catalog/model.ts';
import type { Operation, WireClassifier, WireItem } from '../contract/api.ts';
import type { RecordedRequest, ResourceRecord } from '../state/model.ts';
import { classifier } from './classifier.ts';
import type { Fields, Names, ResourceKind } from './fields.ts';
import { item, plainOf } from './item.ts';

export type AnyDeclaration = ClassifierDeclaration | ItemDeclaration;
export type AnyAnswer = WireClassifier | WireItem;

/**
 * Every kind, in the order in which apply must reach them. A kind is only ever handed declarations and
 * answers of its own, which the compiler can't follow through a table.
 */
export const kinds: Record<Kind, ResourceKind<AnyDeclaration, AnyAnswer>> = {
  classifier: classifier as ResourceKind<AnyDeclaration, AnyAnswer>,
  item: item as ResourceKind<AnyDeclaration, AnyAnswer>,
} satisfies Record<Kind, unknown>;

export const kindOrder: readonly Kind[] = ['classifier', 'item'];

export const operations = {
  classifier: { create: 'createClassifier', update: 'updateClassifier' },
  item: { create: 'createItem', update: 'updateItem' },
} as const satisfies Record<Kind, { create: Operation; update: Operation }>;

/** The declarations of one kind, by key. */
export function declarationsOf(catalog: Catalog, kind: Kind): ReadonlyMap<string, Declared<AnyDeclaration>> {
  return kind === 'classifier' ? catalog.classifiers : catalog.items;
}

export function isDeclared(catalog: Catalog, address: Address): boolean {
  return declarationsOf(catalog, kindOf(address)).has(keyOf(address));
}

/** Everything that is declared, in the order in which apply must reach the kinds. */
export function declaredIn(catalog: Catalog) {
  return kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog, kind)].map(([key, { declaration }]) => ({
      kind,
      address: addressOf(kind, key),
      declaration,
    })),
  );
}

/**
 * What is known of a record: its last answer, without the assignments that a later answer has made untrue. An option
 * that its classifier no longer has belongs to nothing, and an update that repeats its id would be refused.
 */
export function knownFields(
  kind: Kind,
  { answer, at, options }: Pick<ResourceRecord, 'answer' | 'at' | 'options'>,
  names: Names,
): Fields {
  if (kind === 'classifier') return kinds.classifier.answered(answer, names, options);
  const item = answer as WireItem;
  const classifiers = item.classifiers.filter(
    ({ classifierId, classifierOption }) => !names.isGone(classifierId, classifierOption.id, at),
  );
  return kinds.item.answered({ ...item, classifiers }, names);
}

/** The update that asks for nothing but what a create has already asked for, in documented fields only. */
export function updateFromCreate(kind: Kind, created: RecordedRequest['body']): RecordedRequest['body'] {
  if (kind === 'classifier') return { name: created.name };
  const { itemAttributes: attributes, thumbnail } = created;
  return { ...plainOf(created), attributes, ...(typeof thumbnail === 'string' && { thumbnail }) };
}
