import type { Diagnostic } from '../../text/diagnostic.ts';

/** One id that a person names, as it was written: nothing of it is checked yet. */
export interface NamedId {
  /** `item.KEY`, `classifier.KEY` or `classifier.KEY.OPTION`, if the person got it right. */
  readonly address: string;
  /** Absent where what stands there can't be an id and was complained about already. */
  readonly id?: string;
  /** Where a complaint about either part points. */
  readonly place: (part: 'address' | 'id') => Place;
}

export type Place = Pick<Diagnostic, 'location' | 'subject'>;

/** What could be read, and what is wrong with the rest: both, so that all problems can be told at once. */
export interface NamedIds {
  readonly ids: readonly NamedId[];
  readonly problems: readonly Diagnostic[];
}
