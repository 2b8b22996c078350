import type {
  CreateClassifier,
  CreateItem,
  UpdateClassifier,
  UpdateItem,
} from '../../generated/wire-types.js';

/**
 * The bodies that travel, as published (interface, sections 2 and 4). The build makes their types from
 * schemas/item-service.openapi.yaml, so that no field is listed here.
 */
export type {
  AttributeRange as WireRange,
  Classifier as WireClassifier,
  ClassifierOption as WireOption,
  Item as WireItem,
  ItemAttribute as WireItemAttribute,
  ItemClassifier as WireAssignment,
  UserSpaceLink as WireSpaceLink,
} from '../../generated/wire-types.js';

export type CreateItemBody = CreateItem;
export type CreateClassifierBody = CreateClassifier;

/** 4.2 Update Item, where the profile may allow null as a thumbnail. */
export type UpdateItemBody = Omit<UpdateItem, 'thumbnail'> & { readonly thumbnail?: string | null };

/** 4.4 Update Classifier: `name` is the only documented field; the profile may allow options beside it. */
export type UpdateClassifierBody = UpdateClassifier & {
  readonly classifierOptions?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly dropRateMultiplier: number;
  }[];
};
