import type { Catalog } from '../../catalog/model.ts';
import type { Subject } from '../../catalog/parse-address.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { NamedId } from './named-id.ts';
import type { RecordedIds } from './recorded-ids.ts';

/** A named id whose address means something. */
export interface Entry extends Subject {
  readonly named: NamedId;
  /** What is named for the resource itself: for an option, the id of its classifier. */
  readonly resourceId: string | undefined;
}

export interface ImportContext {
  readonly catalog: Catalog;
  readonly known: RecordedIds;
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
}

/** A named condition on ids that a person names; gives one diagnostic a violation. */
export type ImportRule = (entries: readonly Entry[], context: ImportContext) => readonly Diagnostic[];
