import type {
  ClassifierDeclaration,
  ItemDeclaration,
  OptionDeclaration,
  RangeDeclaration,
} from '../catalog/model.ts';

/** What an environment declares otherwise than the catalog, known to fit `environment.schema.json`. */
export interface Overrides {
  readonly classifiers?: Readonly<Record<string, ClassifierOverride>>;
  readonly items?: Readonly<Record<string, ItemOverride>>;
}

export interface ClassifierOverride extends Partial<Omit<ClassifierDeclaration, 'options'>> {
  readonly options?: Readonly<Record<string, Partial<OptionDeclaration>>>;
}

export interface ItemOverride extends Partial<Omit<ItemDeclaration, 'attributes'>> {
  /** Null takes a range away. */
  readonly attributes?: Readonly<Record<string, Partial<RangeDeclaration> | null>>;
}
