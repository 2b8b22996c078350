import type { Catalog, ClassifierDeclaration, Declared, ItemDeclaration, Kind } from '../catalog/model.ts';
import type { Operation } from '../contract/routes.ts';
import type { WireClassifier, WireItem } from '../contract/wire.ts';
import type { RecordedRequest } from '../state/model.ts';
import { classifier } from './classifier.ts';
import { item, plainOf } from './item.ts';
import type { ResourceKind } from './kind.ts';

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

type Body = RecordedRequest['body'];

/** The update that asks for nothing but what a create has already asked for, in documented fields only. */
const updates: Record<Kind, (created: Body) => Body> = {
  classifier: ({ name }) => ({ name }),
  item: ({ itemAttributes, thumbnail, ...created }) => ({
    ...plainOf(created),
    attributes: itemAttributes,
    ...(typeof thumbnail === 'string' && { thumbnail }),
  }),
};

export function updateFromCreate(kind: Kind, created: Body): Body {
  return updates[kind](created);
}
