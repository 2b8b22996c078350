import type { Address } from '../catalog/model.ts';
import type { FieldDifference } from '../resources/fields.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { PlanContext } from './basis.ts';
import { wasNotTaken } from './not-taken.ts';
import { type Hindrance, updateHindrance } from './obstacles.ts';

/** The differences of one recorded resource, by what can be done about them. */
export interface Partition {
  readonly sendable: readonly FieldDifference[];
  /** Sent before and not taken. */
  readonly diverged: readonly FieldDifference[];
  readonly hindered: readonly { readonly difference: FieldDifference; readonly hindrance: Hindrance }[];
}

export function partition(
  address: Address,
  wanted: readonly FieldDifference[],
  record: ResourceRecord,
  context: PlanContext,
): Partition {
  const sendable: FieldDifference[] = [];
  const diverged: FieldDifference[] = [];
  const hindered: { difference: FieldDifference; hindrance: Hindrance }[] = [];
  for (const difference of wanted) {
    if (wasNotTaken(difference, record)) diverged.push(difference);
    else {
      const hindrance = updateHindrance(address, difference, context);
      if (hindrance) hindered.push({ difference, hindrance });
      else sendable.push(difference);
    }
  }
  return { sendable, diverged, hindered };
}
