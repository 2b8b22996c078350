import type { Outcome } from '../api/outcome.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';

/** A write and what became of it. */
export interface Sent {
  readonly request: RecordedRequest;
  readonly outcome: Outcome<AnyAnswer>;
}
