import equal from 'fast-deep-equal';
import type { FieldDifference } from '../resources/fields.ts';
import type { ResourceRecord } from '../state/model.ts';

/** True where this very value was sent before and the service made something else of it. */
export function wasNotTaken(
  { path, after }: Pick<FieldDifference, 'path' | 'after'>,
  { diverged }: ResourceRecord,
): boolean {
  return diverged !== undefined && Object.hasOwn(diverged, path) && equal(diverged[path], after);
}
