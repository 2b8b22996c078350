import type { Catalog } from '../catalog/model.ts';
import type { Entries } from '../state/entries.ts';

export interface NameSources {
  readonly catalog: Catalog;
  /** Retired records count too: what is assigned to them, or revives them, goes by their keys. */
  readonly entries: Entries;
  /** Attribute key to the id of its definition in this environment. */
  readonly attributeIds: ReadonlyMap<string, string>;
  /** Classifiers whose ids, and whose options' ids, come from a create that is planned. */
  readonly replaced?: ReadonlySet<string>;
  /** Options (`classifier.rarity.common`) whose ids come from an update that is planned. */
  readonly renewed?: ReadonlySet<string>;
  /** Ids of options that a planned update lets go of. */
  readonly gone?: ReadonlySet<string>;
}
