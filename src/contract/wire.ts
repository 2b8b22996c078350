/** The bodies that travel, as published (interface, sections 2 and 4). No logic lives here. */

/** 2.2 ClassifierOption. */
export interface WireOption {
  readonly id: string;
  readonly name: string;
  readonly dropRateMultiplier: number;
  readonly classifierId: string;
}

/** 2.2 Classifier, as every classifier operation answers it. */
export interface WireClassifier {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
  /** Timestamp text; its exact format is not stated. */
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly classifierOptions: readonly WireOption[];
}

/** 2.1 ItemClassifier: one assignment of an item to an option. */
export interface WireAssignment {
  readonly classifierId: string;
  readonly classifierOption: WireOption;
}

/** 2.1 ItemAttribute. */
export interface WireItemAttribute {
  readonly id: string;
  readonly itemId: string;
  readonly attributeId: string;
  readonly min: number;
  readonly max: number;
}

/** 2.1 Item, as every item operation answers it. */
export interface WireItem {
  readonly id: string;
  readonly name: string;
  readonly thumbnail: string | null;
  readonly rollNumerator: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly teamId: string;
  readonly classifiers: readonly WireAssignment[];
  readonly attributes: readonly WireItemAttribute[];
}

/** An attribute range as requests carry it (4.1 `itemAttributes`, 4.2 `attributes`). */
export interface WireRange {
  readonly attributeId: string;
  readonly min: number;
  readonly max: number;
}

/** 4.1 Create Item. */
export interface CreateItemBody {
  readonly name: string;
  readonly rollNumerator: number;
  readonly classifierOptionIds: readonly string[];
  readonly itemAttributes: readonly WireRange[];
  readonly id?: string;
  readonly thumbnail?: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
}

/** 4.2 Update Item. The shape of the values of `classifierOptionIds` is not shown: the profile names one. */
export interface UpdateItemBody {
  readonly name: string;
  readonly rollNumerator: number;
  readonly attributes: readonly WireRange[];
  readonly thumbnail?: string | null;
  readonly classifierOptionIds?: Readonly<Record<string, unknown>>;
}

/** 4.3 Create Classifier. */
export interface CreateClassifierBody {
  readonly name: string;
  readonly classifierOptions: readonly { readonly name: string; readonly dropRateMultiplier: number }[];
}

/** 4.4 Update Classifier: `name` is the only documented field; the profile may allow options beside it. */
export interface UpdateClassifierBody {
  readonly name: string;
  readonly classifierOptions?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly dropRateMultiplier: number;
  }[];
}

/** 2.3 Space, embedded in a link. */
export interface WireSpace {
  readonly id: string;
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly teamId: string;
}

/** 2.3 User space link. */
export interface WireSpaceLink {
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly externalId: string | null;
  readonly spaceId: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly space: WireSpace;
}
