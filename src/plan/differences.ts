import equal from 'fast-deep-equal';
import type { Declared, Kind } from '../catalog/model.ts';
import { differences, type FieldDifference, groupOf } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import { type AnyDeclaration, kinds } from '../resources/registry.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { PlanBasis } from './context.ts';

/** Every difference between what is recorded and what is declared, but for what `ignoreChanges` leaves to others. */
export function wantedChanges(
  kind: Kind,
  { declaration }: Pick<Declared<AnyDeclaration>, 'declaration'>,
  record: ResourceRecord,
  { names }: Pick<PlanBasis, 'names'>,
): readonly FieldDifference[] {
  const ignored = new Set(declaration.lifecycle?.ignoreChanges);
  const before = knownFields(kind, record, names);
  return differences(before, kinds[kind].desired(declaration)).filter(
    ({ path }) => !ignored.has(groupOf(path)),
  );
}

/** True where this very value was sent before and the service made something else of it. */
export function wasNotTaken(
  { path, after }: Pick<FieldDifference, 'path' | 'after'>,
  { diverged }: ResourceRecord,
): boolean {
  return diverged !== undefined && Object.hasOwn(diverged, path) && equal(diverged[path], after);
}
